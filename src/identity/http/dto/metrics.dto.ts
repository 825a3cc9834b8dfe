import {
  DateField,
  IntegerField,
  NestedArrayField,
  NestedField,
  NumberField,
  StringField,
  UuidField,
} from '../../../kernel/http/fields/fields.js';

export class MetricsQuery {
  @IntegerField({ default: 30, min: 1, max: 90, description: 'The number of days, up to today.' })
  days: number;
}

class CountsDto {
  @IntegerField({ min: 0, example: 1200 })
  requests: number;

  @IntegerField({ min: 0, description: 'Answered with 4xx or 5xx.', example: 12 })
  errors: number;
}

class EndpointUsageDto extends CountsDto {
  @StringField({ example: 'GET /nodes/:node_id' })
  endpoint: string;

  @NumberField({ min: 0, example: 4.2 })
  average_ms: number;
}

class DayUsageDto extends CountsDto {
  @StringField({ description: 'UTC.', example: '2026-03-01' })
  date: string;
}

class HourUsageDto extends CountsDto {
  @IntegerField({ min: 0, max: 23, description: 'UTC.', example: 14 })
  hour_of_day: number;
}

class PeriodDto {
  @DateField()
  from: string;

  @DateField()
  to: string;
}

export class MetricsDto {
  @UuidField()
  third_party_id: string;

  @NestedField(() => PeriodDto)
  period: PeriodDto;

  @IntegerField({ min: 0, example: 1200 })
  total_requests: number;

  @IntegerField({ min: 0, example: 12 })
  total_errors: number;

  @NestedArrayField(() => EndpointUsageDto, { description: 'The most used first.' })
  endpoints: EndpointUsageDto[];

  @NestedArrayField(() => DayUsageDto)
  by_day: DayUsageDto[];

  @NestedArrayField(() => HourUsageDto, { description: 'The use of the app by hour, over all days.' })
  by_hour_of_day: HourUsageDto[];
}
