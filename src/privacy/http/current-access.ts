import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Access } from '../domain/access.js';

const ACCESS = Symbol('access');
type WithAccess = Request & { [ACCESS]?: Access };

export function setAccess(request: Request, access: Access): void {
  (request as WithAccess)[ACCESS] = access;
}

/** The access of the caller. Throws on endpoints without access: public ones and the app's own. */
export function accessOf(request: Request): Access {
  const access = findAccess(request);
  if (!access) throw new Error('the endpoint acts for no user, or the access guard is missing');
  return access;
}

/** The access of the caller; undefined on endpoints without access. */
export const findAccess = (request: Request): Access | undefined => (request as WithAccess)[ACCESS];

export const CurrentAccess = createParamDecorator((_: unknown, context: ExecutionContext) =>
  accessOf(context.switchToHttp().getRequest<Request>()),
);
