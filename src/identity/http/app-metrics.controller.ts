import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Usage } from '../application/usage.service.js';
import { type App } from '../domain/app.js';
import { CurrentApp } from './caller.js';
import { MetricsDto, MetricsQuery } from './dto/metrics.dto.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What an app has used (specification, Third-party app metrics). */
@ApiTags('Apps')
@Controller('third-party')
export class AppMetricsController {
  constructor(
    private readonly usage: Usage,
    private readonly clock: Clock,
  ) {}

  @Get(':third_party_id/metrics')
  @Endpoint({
    summary: "The app's own use of the service",
    description: 'How much, which endpoints, and when. Counted behind the answers; kept for 90 days.',
    requires: { callers: 'key', user: 'optional' },
    answers: MetricsDto,
    errors: ['NOT_FOUND'],
  })
  async metrics(
    @CurrentApp() app: App,
    @Param('third_party_id') id: string,
    @Query() { days }: MetricsQuery,
  ): Promise<MetricsDto> {
    if (id.toLowerCase() !== app.id) throw new DomainError('NOT_FOUND', 'App not found');
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
