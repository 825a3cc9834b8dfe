import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { CallerPlaces, type Leave } from '../caller-places.js';
import { DomainError } from '../errors/domain-error.js';
import { requestContext } from '../request-context.js';
import { BytesUnderWay } from './bodies/bytes-under-way.js';
import { MULTIPART } from './bodies/body.guard.js';
import { endpointOf, type EndpointOptions } from './endpoint.js';

/** The reading requests of a caller that are served at a time, and the writing ones. */
export const MOST_REQUESTS = 32;
const PATIENCE_MS = 30_000;

/**
 * Bounds the requests of a caller that are served at a time, before anything is loaded for them: each may hold nodes of
 * a MiB while it waits for a connection. Further ones wait in their order, and reads for no writes. What waits for
 * changes, streams or transfers files has places of its own. What ends access takes none: it must not wait, not even for
 * another such request whose body is slow (rule 11.9m).
 */
@Injectable()
export class RequestPlaces implements CanActivate {
  private readonly reads = new CallerPlaces(MOST_REQUESTS, PATIENCE_MS, tooMany);
  private readonly writes = new CallerPlaces(MOST_REQUESTS, PATIENCE_MS, tooMany);
  private readonly taken = new WeakMap<Response, Leave>();

  constructor(private readonly underWay: BytesUnderWay) {}

  /** @throws TOO_MUCH_UNDER_WAY */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const endpoint = endpointOf(context.getHandler());
    if (endpoint === undefined || endpoint.requires === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (lasts(request, endpoint) || Reflect.hasMetadata(MULTIPART, context.getHandler())) return true;
    const current = requestContext.current();
    if (current.endsAccess === true) return true;
    const response = http.getResponse<Response>();
    const places = current.reads === true ? this.reads : this.writes;
    const place = places.take(this.underWay.whose(request));
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

/** True for a request that takes a place of another kind, among streams and waiting requests. */
const lasts = (request: Request, { lasts: kind }: EndpointOptions): boolean =>
  kind === true || (kind === 'waiting' && Number(request.query['wait']) > 0);

const tooMany = (places: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'Too many of your requests are in progress; try again when some of them have ended',
    { limit: 'caller', max_requests: places },
  );
