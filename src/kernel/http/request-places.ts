import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Leave } from '../caller-places.js';
import { PersonShares } from '../database/person-shares.js';
import { requestContext } from '../request-context.js';
import { BytesUnderWay } from './bodies/bytes-under-way.js';
import { MULTIPART } from './bodies/body.guard.js';
import { endpointOf } from './endpoint.js';

/** The reading requests of a caller that are served at a time, and the writing ones; one of each only for ending access. */
export const MOST_REQUESTS = 33;
const PATIENCE_MS = 30_000;

/**
 * Bounds the requests of a caller that are served at a time, before anything is loaded for them: each may hold nodes of
 * a MiB while it waits for a connection. Further ones wait in their order, and reads for no writes. What waits for changes, streams or transfers
 * files has places of its own (rule 11.9m).
 */
@Injectable()
export class RequestPlaces implements CanActivate {
  private readonly reads = new PersonShares(MOST_REQUESTS, PATIENCE_MS, 'requests');
  private readonly writes = new PersonShares(MOST_REQUESTS, PATIENCE_MS, 'requests');
  private readonly taken = new WeakMap<Response, Leave>();

  constructor(private readonly underWay: BytesUnderWay) {}

  /** @throws TOO_MUCH_UNDER_WAY */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const endpoint = endpointOf(context.getHandler());
    if (endpoint === undefined || endpoint.requires === 'public') return true;
    if (endpoint.lasts || Reflect.hasMetadata(MULTIPART, context.getHandler())) return true;
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const places = requestContext.current().reads === true ? this.reads : this.writes;
    const place = places.take(this.underWay.whose(http.getRequest<Request>()));
    if (typeof place === 'function') return this.enter(response, place);
    return place.then((leave) => this.enter(response, leave));
  }

  /** Frees the place of a request once its answer is made: the answer may wait for its client. */
  leave(response: Response): void {
    const leave = this.taken.get(response);
    this.taken.delete(response);
    leave?.();
  }

  private enter(response: Response, leave: Leave): true {
    if (response.destroyed) leave();
    else {
      this.taken.set(response, leave);
      response.once('close', () => this.leave(response));
    }
    return true;
  }
}
