import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../http/endpoint.js';
import { Metrics } from './metrics.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Endpoint({
    summary: 'Metrics in the Prometheus text format',
    description:
      'For everybody who reaches the port. Aggregates only: no ids, no names, nothing of any person.',
    requires: 'public',
    produces: 'text/plain',
  })
  async read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
