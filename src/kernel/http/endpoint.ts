import { applyDecorators, type ExecutionContext, HttpCode, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiOperation,
  ApiResponse,
  type ApiResponseOptions,
  ApiSecurity,
  ApiExtraModels,
} from '@nestjs/swagger';
import { type ErrorCode, ERROR_STATUS } from '../errors/catalogue.js';
import { errorContent, ErrorEnvelope, RateLimitedBody } from './error-envelope.js';

/** Who may call a route at all, and what must hold before its body is read. */
export interface Requirement {
  /** user: JWT only. key: API key only. any: both. */
  callers: 'user' | 'key' | 'any';
  /**
   * Key callers: is the user needed? `optional` marks the app's own endpoints; `derived`: the key itself may say who
   * it is (decisions 1.9). Default required.
   */
  user?: 'required' | 'optional' | 'derived';
  /** Effective permission an app needs, e.g. `tags.create`; owners have all. */
  permission?: string;
  /**
   * Persons need a log-in that is not older than five minutes: `always` is checked before the body is read; with
   * `sometimes` the body decides, and the handler asks. Default never.
   */
  fresh?: 'always' | 'sometimes';
  /** A path id that is looked up first; the handler gets what was found by @Located(kind). */
  resource?: { kind: string; param: string; verb: string };
}

export interface EndpointOptions {
  summary: string;
  description?: string;
  requires: 'public' | Requirement;
  /** Default 200. */
  status?: 200 | 201 | 202 | 204;
  /** Class of the answer's body. */
  answers?: Type;
  /** Second possible 2xx status with the same body (POST that may find what it would create). */
  alsoStatus?: 200 | 201;
  /** Media type of the answer where it is not JSON. */
  produces?: string;
  /** So many requests a minute, whatever else is allowed; endpoints with one name share it (specification, Limits). */
  limit?: { name: string; perMinute: number };
  /** A DELETE that takes a body; other methods need not say so. */
  takesBody?: boolean;
  /** A POST that only asks, such as a search: it is no change in anybody's eyes. */
  reads?: boolean;
  /** A body that works when it is sent as it is; absent: put together from the examples of its fields. */
  example?: Record<string, unknown>;
  /** Codes beyond those that follow from `requires`. */
  errors?: readonly ErrorCode[];
}

/** By the route's method: three guards ask for every request. */
const endpoints = new WeakMap<object, EndpointOptions>();
/** Where completeDocument finds the example of a body, and takes it away. */
export const BODY_EXAMPLE = 'x-body-example';

/** Marks an operation that changes nothing, until the document is complete. */
export const READS = 'x-reads';

/** Declares a route: its access, its status and its documentation. A route without it stops the start. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { summary, requires } = options;
  return applyDecorators(
    (_target, _name, { value }: PropertyDescriptor) => void endpoints.set(value as object, options),
    HttpCode(options.status ?? 200),
    ApiOperation({ summary, description: describe(options) }),
    ApiExtraModels(ErrorEnvelope, RateLimitedBody),
    ...answers(options),
    ...errorResponses(options),
    ...(options.example === undefined ? [] : [ApiExtension(BODY_EXAMPLE, options.example)]),
    ...(options.reads ? [ApiExtension(READS, true)] : []),
    ...(requires === 'public' ? [] : security(requires)),
  );
}

const FRESH =
  'Needs a log-in not older than five minutes: else 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.';

/** Where the body decides, the description says when. */
function describe({ description, requires }: EndpointOptions): string | undefined {
  if (requires === 'public' || requires.fresh !== 'always') return description;
  return description === undefined ? FRESH : `${description} ${FRESH}`;
}

export function endpointOf(handler: object): EndpointOptions | undefined {
  return endpoints.get(handler);
}

/** Whether requests of a route change nothing. */
export const onlyReads = (method: string, endpoint: EndpointOptions | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || endpoint?.reads === true;

/** What the route being called requires. Missing metadata is a defect of ours, never a permission. */
export function requirementOf(context: ExecutionContext): 'public' | Requirement {
  const endpoint = endpointOf(context.getHandler());
  if (!endpoint) throw new Error(`no @Endpoint on ${context.getClass().name}.${context.getHandler().name}`);
  return endpoint.requires;
}

function answers({ answers: type, status = 200, alsoStatus, produces }: EndpointOptions): MethodDecorator[] {
  const body: ApiResponseOptions = produces
    ? { content: { [produces]: { schema: { type: 'string' } } } }
    : type
      ? { type }
      : {};
  return [status, ...(alsoStatus ? [alsoStatus] : [])].map((one) =>
    ApiResponse({ status: one, description: TEXT[one], ...body }),
  );
}

const TEXT: Record<number, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No content' };

const LIMITED =
  '`RATE_LIMITED`: too many requests in one of the windows that apply. `X-RateLimit-*` describe the one with the least left; wait `Retry-After` seconds, the same as `retry_after` in this flat body. A refused request counts nowhere.';

function errorResponses({ requires, errors = [] }: EndpointOptions): MethodDecorator[] {
  const codes = new Set<ErrorCode>(['VALIDATION_ERROR', 'RATE_LIMITED', 'NOT_FOUND', ...errors]);
  if (requires !== 'public') {
    codes.add('UNAUTHORIZED').add('PERMISSION_DENIED').add('AMBIGUOUS_CREDENTIALS');
    if (requires.fresh !== undefined) codes.add('REAUTHENTICATION_REQUIRED');
    if (requires.resource?.kind === 'node' || requires.resource?.kind === 'file') {
      codes.add('NODE_NOT_FOUND');
      if (!errors.includes('NOT_FOUND')) codes.delete('NOT_FOUND');
    }
    if (requires.resource === undefined && !errors.includes('NOT_FOUND')) codes.delete('NOT_FOUND');
  } else if (!errors.includes('NOT_FOUND')) codes.delete('NOT_FOUND');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return [...byStatus].map(([status, list]) =>
    ApiResponse({
      status,
      description: status === 429 ? LIMITED : list.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': errorContent(status, list) },
    }),
  );
}

/** A user key names its user by itself; an app key needs X-User-ID wherever a user is needed. */
function security({ callers, user }: Requirement): MethodDecorator[] {
  const keys = [
    ApiSecurity({ ApiKey: [] }),
    ...(user === 'optional' ? [] : [ApiSecurity({ ApiKey: [], UserId: [] })]),
  ];
  const bearer = ApiSecurity({ Bearer: [] });
  return callers === 'user' ? [bearer] : callers === 'key' ? keys : [...keys, bearer];
}
