import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type AppCaller, type Caller, type UserCaller } from '../domain/caller.js';
import { type Device } from '../domain/log-in.js';

const CALLER = Symbol('caller');
type WithCaller = Request & { [CALLER]?: Caller };

export function setCaller(request: Request, caller: Caller): void {
  (request as WithCaller)[CALLER] = caller;
}

/** The sender of the request. Throws on public endpoints, where no caller is identified. */
export function callerOf(request: Request): Caller {
  const caller = findCaller(request);
  if (!caller) throw new Error('nobody was authenticated: the endpoint is public, or the guard is missing');
  return caller;
}

/** The sender of the request; undefined where no caller was authenticated. */
export const findCaller = (request: Request): Caller | undefined => (request as WithCaller)[CALLER];

/** A key for counting each caller's work; the address where no caller was authenticated. */
export function callerKey(request: Request): string {
  const caller = findCaller(request);
  return caller ? keyOfCaller(caller) : `address ${request.ip}`;
}

/** The key for counting the work of an authenticated caller; that of a person who reads as an app is theirs (rule 2.11). */
export function keyOfCaller(sender: Caller): string {
  const caller = sender.kind === 'app' ? (sender.readBy ?? sender) : sender;
  // All apps of one developer count together for a user: their number must not multiply a person's share.
  return caller.kind === 'user' ? `user ${caller.userId}` : `apps of ${caller.app.ownerId} ${caller.userId}`;
}

/** The user of an endpoint that requires `callers: 'user'`. */
export function userCallerOf(request: Request): UserCaller {
  const caller = callerOf(request);
  if (caller.kind !== 'user') throw new Error('the endpoint lets apps in');
  return caller;
}

export const CurrentUserCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  userCallerOf(context.switchToHttp().getRequest<Request>()),
);

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);

/** The User who calls, on endpoints that require `callers: 'user'`. */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => userCallerOf(context.switchToHttp().getRequest<Request>()).user,
);

/** The caller of an endpoint that requires `callers: 'key'`. */
export function appCallerOf(request: Request): AppCaller {
  const caller = callerOf(request);
  if (caller.kind !== 'app') throw new Error('the endpoint lets users in');
  return caller;
}

export const CurrentAppCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  appCallerOf(context.switchToHttp().getRequest<Request>()),
);

/** The origin of the request; on public endpoints as well. */
export const CurrentDevice = createParamDecorator((_: unknown, context: ExecutionContext): Device => {
  const { ip, headers } = context.switchToHttp().getRequest<Request>();
  return { address: ip ?? 'unknown', userAgent: headers['user-agent'] ?? null };
});
