import { type JsonBounds } from '../json/json-text.js';
import { applyDecorators, type ExecutionContext, HttpCode, type Type } from '@nestjs/common';
import {
  ApiConsumes,
  ApiExtension,
  ApiOperation,
  ApiResponse,
  type ApiResponseOptions,
  ApiSecurity,
  ApiExtraModels,
} from '@nestjs/swagger';
import { type ErrorCode, ERROR_STATUS } from '../errors/catalogue.js';
import { type LeanPlaces } from './lean/lean-places.js';
import { type DomainError } from '../errors/domain-error.js';
import { type OAuthCode, statusOf } from '../errors/oauth-error.js';
import {
  errorContent,
  ErrorEnvelope,
  oauthErrorContent,
  OAuthErrorBody,
  RateLimitedBody,
} from './answers/error-envelope.js';

/** The access conditions of a route, checked before its body is read. */
export interface Requirement {
  /** user: JWT only. key: API key only. any: both. */
  callers: 'user' | 'key' | 'any';
  /**
   * The user of a key caller: `required` (the default), `derived` where the key itself may name the user, or, on the
   * app's own endpoints, `none`, which refuses user keys, and `optional`, which shows them what is theirs (rule 1.9).
   */
  user?: 'required' | 'derived' | 'none' | 'optional';
  /** Effective permission that an app needs, such as `tags.create`; owners have all. */
  permission?: string;
  /**
   * Step-up for users, a proof of identity from the last five minutes: `always` is checked before the body is read;
   * with `sometimes` the body decides, and the handler asks. Default never.
   */
  stepUp?: 'always' | 'sometimes';
  /** A resource of the path that is located first; the handler receives it by @Located(kind). */
  resource?: { kind: string; param: string; verb: string };
}

export interface EndpointOptions {
  summary: string;
  description?: string;
  requires: 'public' | Requirement;
  /** Default 200. */
  status?: 200 | 201 | 202 | 204 | 302;
  /** Class of the answer's body. */
  answers?: Type;
  /** Second possible status with the same body: a POST that finds what it would create, a page for no address. */
  alsoStatus?: 200 | 201 | 404;
  /** Media type of an answer that is not JSON. */
  produces?: string;
  /** An extra limit of requests a minute; endpoints with one name share it (rule 9.7b). */
  limit?: { name: string; perMinute: number };
  /** True for a POST whose body is a form (application/x-www-form-urlencoded), as OAuth demands. */
  takesForm?: true;
  /** Narrower bounds of a body's JSON, for a route whose readers take longer for each part of it. */
  jsonBounds?: Pick<JsonBounds, 'values' | 'names'>;
  /** True for a DELETE that takes a body; other methods need not set it. */
  takesBody?: boolean;
  /**
   * True for an operation that a person needs to end or narrow access. Neither their other requests nor their apps keep
   * it from a connection (rule 11.9d) or use up its rate limit (rule 9.7f).
   */
  endsAccess?: true;
  /**
   * The field of a public endpoint's body with a secret of a log-in, which is counted apart where strangers have used up
   * the rate limit of the network (rule 9.7g).
   */
  secretField?: 'refresh_token' | 'earlier_refresh_token' | 'challenge';
  /**
   * True for an operation that waits for changes, or whose answer is sent as it is read: it takes none of its caller's
   * places for requests (rule 11.9m). `waiting`: only where the query has a `wait` above 0.
   */
  lasts?: true | 'waiting';
  /** True for a POST that only reads, such as a search. */
  reads?: boolean;
  /** True for an operation that a ticket in the query admits in place of a credential (rule 7.14). */
  takesTicket?: true;
  /** False for a GET that a person cannot read as one of their apps, because its answer is made for the caller. */
  asApp?: false;
  /**
   * True for a read whose answer holds no credential, nor another secret by which somebody gets in. Only such an answer
   * is compressed: its length says something of its contents (ADR 78); and only such a one may be stored by its caller's
   * cache, which has it confirmed each time (rule 11.14).
   */
  holdsNoSecret?: true;
  /** The places of an answer's nodes and relationships, of which its caller may select fields (rule 11.12). */
  lean?: LeanPlaces;
  /** A body that works when it is sent as it is; if absent, it is built from the examples of its fields. */
  example?: Record<string, unknown>;
  /** Codes beyond those that follow from `requires`. */
  errors?: readonly ErrorCode[];
  /** Codes of an endpoint of OAuth beyond `invalid_request`: its errors have OAuth's form (rule 14.1c). */
  oauthErrors?: readonly OAuthCode[];
  /** The page that shows an error, for an address that people open: it has no other answer to an error. */
  errorPage?: (error: DomainError) => string;
  /** The form of errors, for an endpoint of another protocol. */
  errorBody?: (error: DomainError) => object;
}

/** The media type of forms. */
export const FORM = 'application/x-www-form-urlencoded';

/** Options by the method of the route: three guards look them up for every request. */
const endpoints = new WeakMap<object, EndpointOptions>();
/** The extension in which completeDocument finds the example of a body; it removes the extension. */
export const BODY_EXAMPLE = 'x-body-example';

/** Marks an operation that changes nothing, until the document is complete. */
export const READS = 'x-reads';
/** Marks an operation whose GET a person can read as one of their apps, until the document is complete. */
export const AS_APP = 'x-as-app';
/** Marks an operation whose GET has an entity tag and can be confirmed, until the document is complete. */
export const CONFIRMABLE = 'x-confirmable';
/** Marks an operation whose errors have OAuth's form, until the document is complete. */
export const OAUTH = 'x-oauth';
/** The parameter with a ticket. */
export const TICKET_PARAMETER = 'ticket';
/** The parameter that names this app (rule 2.11). */
export const AS_APP_PARAMETER = 'as_app';

/**
 * Declares a route: its access, its status and its documentation. The service does not start with an undeclared route.
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { summary, requires } = options;
  return applyDecorators(
    (_target, _name, { value }: PropertyDescriptor) => void endpoints.set(value as object, options),
    HttpCode(options.status ?? 200),
    ApiOperation({ summary, description: describe(options) }),
    ApiExtraModels(ErrorEnvelope, RateLimitedBody, OAuthErrorBody),
    ...(options.takesForm ? [ApiConsumes(FORM)] : []),
    ...answers(options),
    ...declaredErrors(options),
    ...(options.example === undefined ? [] : [ApiExtension(BODY_EXAMPLE, options.example)]),
    ...(options.oauthErrors === undefined ? [] : [ApiExtension(OAUTH, true)]),
    ...(options.reads ? [ApiExtension(READS, true)] : []),
    ...(isConfirmable('GET', options) ? [ApiExtension(CONFIRMABLE, true)] : []),
    ...(servesAsApp(options) ? [ApiExtension(AS_APP, true)] : []),
    ...(requires === 'public' ? [] : security(requires)),
  );
}

const FRESH =
  'Requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`, see POST /auth/reauthenticate.';

/** The description of an operation. Where the body decides on step-up, the endpoint's own description says when. */
function describe({ description, requires }: EndpointOptions): string | undefined {
  if (requires === 'public' || requires.stepUp !== 'always') return description;
  return description === undefined ? FRESH : `${description} ${FRESH}`;
}

export function endpointOf(handler: object): EndpointOptions | undefined {
  return endpoints.get(handler);
}

/** Declares a method that takes another one's place as the same route. */
export function copyEndpoint(from: object, to: object): void {
  const options = endpoints.get(from);
  if (options !== undefined) endpoints.set(to, options);
}

/** True for an endpoint of the app itself, which acts for no user there. */
export const isOfAppItself = ({ user }: Requirement): boolean => user === 'none' || user === 'optional';

/** True for an endpoint whose GET a person can read as one of their apps (rule 2.11). */
export const servesAsApp = ({ requires, asApp }: EndpointOptions): boolean =>
  requires !== 'public' && requires.callers === 'any' && asApp !== false;

/**
 * True for a read whose caller may hold its answer, and have it confirmed by its entity tag (rule 11.14). Answers that wait
 * for changes differ each time.
 */
export const isConfirmable = (method: string, { holdsNoSecret, lasts }: EndpointOptions): boolean =>
  (method === 'GET' || method === 'HEAD') && holdsNoSecret === true && lasts === undefined;

/** True if requests of a route change nothing. */
export const onlyReads = (method: string, endpoint: EndpointOptions | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || endpoint?.reads === true;

/** The requirement of the route being called. Missing metadata is a defect of ours, never a permission. */
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

const TEXT: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  302: 'Found',
  404: 'Not found',
};

const LIMITED =
  '`RATE_LIMITED`: too many requests in one of the windows that apply. `X-RateLimit-*` describe the one with the least left; wait `Retry-After` seconds, the same as `retry_after` in this flat body. A refused request counts nowhere.';

function errorResponses({ requires, errors = [] }: EndpointOptions): MethodDecorator[] {
  const codes = new Set<ErrorCode>(['VALIDATION_ERROR', 'RATE_LIMITED', 'NOT_FOUND', ...errors]);
  if (requires !== 'public') {
    codes.add('UNAUTHORIZED').add('PERMISSION_DENIED').add('AMBIGUOUS_CREDENTIALS');
    if (requires.stepUp !== undefined) codes.add('REAUTHENTICATION_REQUIRED');
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

function declaredErrors(options: EndpointOptions): MethodDecorator[] {
  if (options.errorPage !== undefined) return [400, 429, 503].map(errorPageResponse);
  if (options.errorBody !== undefined) return FOREIGN_STATUSES.map(foreignErrorResponse);
  return options.oauthErrors === undefined ? errorResponses(options) : oauthErrorResponses(options);
}

/** The statuses of refusals before another protocol has the message. */
const FOREIGN_STATUSES = [400, 401, 403, 406, 413, 415, 429, 503];

const foreignErrorResponse = (status: number): MethodDecorator =>
  ApiResponse({
    status,
    description: 'An error in the form of the protocol',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  });

const errorPageResponse = (status: number): MethodDecorator =>
  ApiResponse({
    status,
    description: 'A page',
    content: { 'text/html': { schema: { type: 'string' } } },
  });

/** The same for an endpoint of OAuth; a registration that is closed is 404. */
function oauthErrorResponses({ oauthErrors = [], errors = [] }: EndpointOptions): MethodDecorator[] {
  const byStatus = new Map<number, string[]>([
    [400, ['invalid_request']],
    ...errors.map((code): [number, string[]] => [ERROR_STATUS[code], ['invalid_request']]),
    [429, ['temporarily_unavailable']],
    [503, ['temporarily_unavailable']],
  ]);
  for (const code of oauthErrors)
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return [...byStatus].map(([status, codes]) =>
    ApiResponse({
      status,
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': oauthErrorContent(codes) },
    }),
  );
}

/** The accepted credentials. A user key identifies its user; an app key needs X-User-ID wherever a user is needed. */
function security(requirement: Requirement): MethodDecorator[] {
  const { callers } = requirement;
  const keys = [
    ApiSecurity({ ApiKey: [] }),
    ...(isOfAppItself(requirement) ? [] : [ApiSecurity({ ApiKey: [], UserId: [] })]),
  ];
  const bearer = ApiSecurity({ Bearer: [] });
  return callers === 'user' ? [bearer] : callers === 'key' ? keys : [...keys, bearer];
}
