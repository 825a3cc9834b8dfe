import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { requestContext, type RequestContext } from '../request-context.js';
import { Metrics } from './metrics.js';
import { RootLogger } from './root-logger.js';

/** The outcome of a request. */
export interface Served {
  status: number;
  milliseconds: number;
  context: RequestContext;
}

/**
 * Records each request at its end: its duration in the metrics, and one line in the log. Routes as patterns, no texts.
 */
@Injectable()
export class ServedRequests {
  private readonly listeners: ((request: Request, served: Served) => void)[] = [];

  constructor(
    private readonly metrics: Metrics,
    private readonly log: RootLogger,
  ) {}

  /** Registers a listener for every request that was answered in full. */
  listen(listener: (request: Request, served: Served) => void): void {
    this.listeners.push(listener);
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const begun = performance.now();
    const context = requestContext.current();
    response.once('finish', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      const { method } = request;
      const status = response.statusCode;
      const milliseconds = performance.now() - begun;
      this.metrics.served({ method, route, status }, milliseconds / 1000);
      for (const listener of this.listeners) listener(request, { status, milliseconds, context });
      const line = {
        request_id: context.requestId,
        method,
        route,
        status,
        response_time_ms: Math.round(milliseconds * 10) / 10,
      };
      if (status >= 500) this.log.pino.error(line, 'failed');
      else this.log.pino.info(line, 'served');
    });
    next();
  };
}
