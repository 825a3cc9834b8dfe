import { type DynamicModule, RequestMethod } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
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
  const { name, type, message, stack, code, constraint, table, severity } = error as Record<
    string,
    string | undefined
  >;
  const fromDatabase = severity !== undefined || 'driverError' in error;
  return {
    type: name ?? type,
    message: fromDatabase ? withoutValues(String(message)) : message,
    stack: stack
      ?.split('\n')
      .filter((row) => row.trim().startsWith('at '))
      .join('\n'),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
  };
}

/** PostgreSQL quotes names and values alike; what stands in quotes is left out. */
const withoutValues = (message: string): string => message.replace(/"[^"]*"/g, '"…"').slice(0, 300);
