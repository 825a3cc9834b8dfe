import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Response } from 'express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import { Config } from './config/config.js';
import { CONSOLE_PATHS } from './console/index.js';
import { AuthenticationGuard, callerKey, RateLimits } from './identity/index.js';
import { Admission } from './kernel/http/admission.js';
import { isFastPathOn, leaveOutFastPaths } from './kernel/fast-paths.js';
import { binding, bindParameters } from './kernel/http/bodies/binding.js';
import { BodyGuard } from './kernel/http/bodies/body.guard.js';
import { BytesUnderWay } from './kernel/http/bodies/bytes-under-way.js';
import { Draining } from './kernel/http/draining.js';
import { ErrorFilter } from './kernel/http/answers/error.filter.js';
import { ExpressServer } from './kernel/http/express-server.js';
import {
  IdempotentRequests,
  makeIdempotent,
  takesIdempotencyKey,
} from './kernel/http/idempotent-requests.js';
import { patchJsonResponse } from './kernel/http/answers/json-response.js';
import { makeLean } from './kernel/http/lean/lean-answers.js';
import { declareQueryParameters } from './kernel/http/query-parameters.js';
import { RequestPlaces } from './kernel/http/request-places.js';
import { Locators, ResourceGuard } from './kernel/http/locators.js';
import { buildOpenApi, serveOpenApi } from './kernel/http/openapi/openapi.js';
import { matchByPrefix } from './kernel/http/fast-paths/route-prefixes.js';
import { requestIdMiddleware } from './kernel/http/request-id.middleware.js';
import { onlyReads } from './kernel/http/endpoint.js';
import { RouteTable } from './kernel/http/route-table.js';
import { surviveAcceptErrors } from './kernel/http/accept-errors.js';
import { answerUnreadable, requireHost } from './kernel/http/bodies/unreadable-requests.js';
import { openToAnyOrigin } from './kernel/http/any-origin.middleware.js';
import { VERSION_PREFIX as PREFIX } from './kernel/http/version-prefix.js';
import { silenceStartupLogs } from './kernel/observability/logging.js';
import { requestContext } from './kernel/request-context.js';
import { checkMcpOrigin } from './mcp/index.js';
import { ServedRequests } from './kernel/observability/served-requests.js';
import { AccessGuard, decisions } from './privacy/index.js';

const EXPOSED_HEADERS = [
  'ETag',
  'Ignored-Fields',
  'Retry-After',
  'WWW-Authenticate',
  'X-Quota',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
const OUTSIDE = [
  'health/live',
  'health/ready',
  'metrics',
  '.well-known/jwks.json',
  '.well-known/oauth-authorization-server',
  '.well-known/oauth-protected-resource',
  '.well-known/oauth-protected-resource/mcp',
  '.well-known/oauth-protected-resource/api/v1',
  'oauth/authorize',
  'oauth/token',
  'oauth/register',
  'oauth/revoke',
  'oauth/introspect',
  'oauth/par',
  'oauth/device_authorization',
  'account',
  'account/link.js',
  'account/passkeys',
  'account/passkeys.js',
  'mcp',
  ...CONSOLE_PATHS,
];

/**
 * The service, still to be configured. Nest's own body parser is off: bodies are read by the last guard. Logs wait for
 * their logger; where the start fails they are dropped, for the caller gets the error and says it in one line.
 */
export function createService(config: Config): Promise<NestExpressApplication> {
  leaveOutFastPaths(config.fastPathsOff);
  return NestFactory.create<NestExpressApplication>(AppModule.forRoot(config), new ExpressServer(), {
    bodyParser: false,
    bufferLogs: true,
    autoFlushLogs: false,
    abortOnError: false,
  });
}

/** Everything between the controllers and the wire, the same for the server and for every test. */
export async function configureApp(app: NestExpressApplication): Promise<void> {
  const config = app.get(Config);
  app.useLogger(silenceStartupLogs(app.get(Logger)));
  app.flushLogs();
  const express = app.getHttpAdapter().getInstance() as Express;
  configureExpress(express, config);
  answerUnreadable(app.getHttpServer());
  surviveAcceptErrors(app.getHttpServer());
  app.use(
    app.get(Draining).middleware,
    requestIdMiddleware,
    app.get(ServedRequests).middleware,
    helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } }),
    requireHost,
    openToAnyOrigin,
    checkMcpOrigin(config.publicUrl),
    app.get(IdempotentRequests).middleware,
  );
  const underWay = app.get(BytesUnderWay);
  underWay.whose = callerKey;
  const places = app.get(RequestPlaces);
  patchJsonResponse(express, (response, bytes) => {
    places.leave(response);
    return underWay.hold('sent', response, bytes);
  });
  if (config.corsOrigins.length > 0)
    app.enableCors({ origin: config.corsOrigins, exposedHeaders: EXPOSED_HEADERS });
  app.setGlobalPrefix(PREFIX, { exclude: OUTSIDE });
  const admission = app.get(Admission);
  const [authentication, access, resource] = [
    app.get(AuthenticationGuard),
    app.get(AccessGuard),
    app.get(ResourceGuard),
  ];
  admission.guards = [authentication, access, resource];
  admission.decisions = decisions;
  app.useGlobalGuards(authentication, access, places, resource, app.get(BodyGuard));
  const filter = app.get(ErrorFilter);
  const { settle } = app.get(RateLimits);
  filter.beforeAnswer = async (request) => {
    await settle(request);
    await requestContext.current().rights?.confirm();
  };
  app.useGlobalFilters(filter);
  if (!isFastPathOn('bound-parameters')) app.useGlobalPipes(binding);
  serveOpenApi(app, () => buildOpenApi(app));
  await openRoutes(app);
  app.use(filter.unrouted);
}

interface Express {
  set(name: string, value: unknown): void;
  disable(name: string): void;
  response: Response;
  router: object;
}

function configureExpress(express: Express, { trustProxy }: Config): void {
  // Nest has made the router by now, too early for the setting `case sensitive routing`.
  Object.assign(express.router, { caseSensitive: true });
  // Our entity tags come from versions; Express would hash every answer for its own.
  express.set('etag', false);
  express.set('query parser', 'simple');
  express.set('trust proxy', trustProxy);
  express.disable('x-powered-by');
}

/**
 * Prepares the methods of controllers before Nest makes routes of them. Locators register when the modules start; only
 * then every route can be checked.
 */
async function openRoutes(app: NestExpressApplication): Promise<void> {
  const routes = app.get(RouteTable);
  routes.collect((path) => (OUTSIDE.includes(path.slice(1)) ? path : `/${PREFIX}${path}`));
  for (const { method, path, controller, name, endpoint } of routes.routes) {
    if (isFastPathOn('bound-parameters')) bindParameters(controller, name);
    if (takesIdempotencyKey(method, path, onlyReads(method, endpoint))) makeIdempotent(controller, name);
    makeLean(controller, name);
    declareQueryParameters(controller, name);
  }
  await app.init();
  if (isFastPathOn('route-prefixes')) matchByPrefix(app.getHttpAdapter().getInstance().router);
  const locators = app.get(Locators);
  routes.audit((kind, verb) => locators.knows(kind, verb));
}
