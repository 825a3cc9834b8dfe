import { type DynamicModule, type LoggerService } from '@nestjs/common';
import { type Logger, LoggerModule } from 'nestjs-pino';
import { RootLogger, SERIALIZERS } from './root-logger.js';

/**
 * Structured logs that hold no secret and no personal text: for a request one line at its end (ServedRequests), for an
 * error its type, its message without values, and its stack. The middleware that would make a logger for each request
 * is left out: the request context already has the request's id. The serializers are repeated, because Nest's logger is
 * a child with pino-http's own by default.
 */
export function loggingModule(): DynamicModule {
  return LoggerModule.forRootAsync({
    inject: [RootLogger],
    useFactory: (root: RootLogger) => ({
      forRoutes: [],
      pinoHttp: { logger: root.pino, autoLogging: false, serializers: SERIALIZERS },
    }),
  });
}

/** Nest's messages for every module and route that it finds, of use only for debugging the start. */
const OF_THE_START = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** The logger for Nest itself, quiet about a start that goes well. */
export function silenceStartupLogs(logger: Logger): LoggerService {
  return {
    log: (message: unknown, ...rest: unknown[]) =>
      OF_THE_START.has(rest.at(-1)) ? logger.debug(message, ...rest) : logger.log(message, ...rest),
    // Nest also throws a failure to listen, and the caller reports it in one line.
    error: (message: unknown, ...rest: unknown[]) =>
      rest.at(-1) === 'NestApplication' ? logger.debug(message, ...rest) : logger.error(message, ...rest),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(message, ...rest),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(message, ...rest),
    verbose: (message: unknown, ...rest: unknown[]) => logger.verbose(message, ...rest),
    fatal: (message: unknown, ...rest: unknown[]) => logger.fatal(message, ...rest),
  };
}
