import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { Usage } from '../application/usage.service.js';
import { type App } from '../domain/app.js';
import { MetricsDto, MetricsQuery } from './dto/metrics.dto.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The use of an app (specification, Third-party app metrics). */
@ApiTags('Apps')
@Controller('third-party')
export class AppMetricsController {
  constructor(
    private readonly usage: Usage,
    private readonly clock: Clock,
  ) {}

  @Get(':third_party_id/metrics')
  @Endpoint({
    summary: "Get the app's own use of the service",
    description:
      'The number of requests, by endpoint and by time, to the app itself: a user key is refused. Counted after the answers; stored for 90 days.',
    requires: {
      callers: 'key',
      user: 'none',
      resource: { kind: 'third_party', param: 'third_party_id', verb: 'read' },
    },
    answers: MetricsDto,
    errors: ['NOT_FOUND'],
  })
  async metrics(@Located('third_party') app: App, @Query() { days }: MetricsQuery): Promise<MetricsDto> {
    const { total, endpoints, days: by_day, hours } = await this.usage.summary(app.id, days);
    const to = this.clock.now();
    return {
      third_party_id: app.id,
      period: { from: new Date(to.getTime() - days * DAY_MS).toISOString(), to: to.toISOString() },
      total_requests: total.requests,
      total_errors: total.errors,
      endpoints,
      by_day,
      by_hour_of_day: hours,
    };
  }
}
