import { type DynamicModule, type LoggerService, RequestMethod } from '@nestjs/common';
import { type Logger, LoggerModule } from 'nestjs-pino';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Config } from '../../config/config.js';

type Served = IncomingMessage & { id?: unknown; route?: { path?: string }; originalUrl?: string };

/**
 * Structured logs that hold no secret and no personal text: of a request the method, the route's pattern and the
 * id; of an error its kind, its text without values, and its stack.
 */
export function loggingModule(config: Config): DynamicModule {
  return LoggerModule.forRoot({
    forRoutes: [{ path: '*path', method: RequestMethod.ALL }],
    pinoHttp: {
      level: config.logLevel,
      quietReqLogger: true,
      customAttributeKeys: { reqId: 'request_id' },
      genReqId: (request) => (request as Served).id as string,
      customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
      customSuccessMessage: () => 'served',
      customErrorMessage: () => 'failed',
      customSuccessObject: (request, response, value: object) => ({
        ...value,
        ...line(request as Served, response),
      }),
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
    },
  });
}

function line(request: Served, response: ServerResponse): object {
  return { method: request.method, route: request.route?.path ?? 'unknown', status: response.statusCode };
}

/** Database errors repeat values in `detail`, `parameters` and `query`; none of that is written. */
export function describeError(error: unknown): object {
  if (typeof error !== 'object' || error === null || !('message' in error)) return { type: typeof error };
  const { name, type, message, stack, code, constraint, table } = error as Record<string, string | undefined>;
  return {
    type: name ?? type,
    message: withoutValues(String(message)),
    stack: stack
      ?.replace(String(message), '')
      .split('\n')
      .filter((row) => row.trim().startsWith('at '))
      .join('\n'),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
  };
}

/**
 * PostgreSQL and JSON.parse quote what they complain of. A value may hold quotes itself, so that nobody can tell where
 * it ends: nothing after the first one is written.
 */
const withoutValues = (message: string): string => message.replace(/".*/s, '"…').slice(0, 300);

/** What Nest says of every module and every route it finds is for who debugs the start. */
const OF_THE_START = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The logger for Nest itself, quiet about a start that goes well. */
export function quietly(logger: Logger): LoggerService {
  return {
    log: (message: unknown, ...rest: unknown[]) =>
      OF_THE_START.has(rest.at(-1)) ? logger.debug(message, ...rest) : logger.log(message, ...rest),
    error: (message: unknown, ...rest: unknown[]) => logger.error(message, ...rest),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(message, ...rest),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(message, ...rest),
    verbose: (message: unknown, ...rest: unknown[]) => logger.verbose(message, ...rest),
    fatal: (message: unknown, ...rest: unknown[]) => logger.fatal(message, ...rest),
  };
}
