import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Config } from '../../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import { Endpoint } from '../http/endpoint.js';
import { Metrics } from './metrics.js';

@ApiTags('Operations')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Endpoint({
    summary: 'Get metrics in the Prometheus text format',
    description:
      'Needs `Authorization: Bearer <METRICS_TOKEN>`; without a configured METRICS_TOKEN it answers only unproxied connections from the same machine. Aggregates only: no ids, no names, nothing about any person.',
    requires: 'public',
    errors: ['PERMISSION_DENIED'],
    produces: 'text/plain',
  })
  async read(@Req() request: Request): Promise<string> {
    const { metricsToken } = this.config;
    const isAllowed = metricsToken === null ? isFromHere(request) : carries(request, metricsToken);
    if (!isAllowed) throw new DomainError('PERMISSION_DENIED', 'Only the operator can read metrics');
    return this.metrics.registry.metrics();
  }
}

/** Headers that proxies add; which of them depends on the configuration of the proxy. */
const OF_PROXIES =
  /^(?:via|forwarded|x-forwarded-.+|x-real-ip|x-original-.+|x-envoy-.+|.*(?:client|connecting)-ip)$/;

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * True for an unproxied connection from the same machine. Counts reveal when a user is active, so they are not public.
 */
function isFromHere({ socket, headers }: Request): boolean {
  const isForwarded = Object.keys(headers).some((name) => OF_PROXIES.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

function carries({ headers }: Request, token: string): boolean {
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
