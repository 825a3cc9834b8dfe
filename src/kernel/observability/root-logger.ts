import { Injectable } from '@nestjs/common';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { Config } from '../../config/config.js';
import { requestContext } from '../request-context.js';
import { describeError } from './describe-error.js';
import { BufferedLogWriter } from './buffered-log-writer.js';

/** Serializers that keep secrets and users' texts out of everything logged under these names. */
export const SERIALIZERS = { req: () => undefined, res: () => undefined, err: describeError };

const ERROR = 50;

/** One output for all loggers of the process. */
const output = new BufferedLogWriter(process.stdout.fd);

/** Leaves standard output to a protocol that is spoken there. */
export function logToStandardError(): void {
  output.redirect(process.stderr.fd);
}

/** The one pino logger of the process. Each line has the id of its request. */
@Injectable()
export class RootLogger {
  readonly pino: Logger;

  constructor(config: Config) {
    const options: LoggerOptions = {
      level: config.logLevel,
      serializers: SERIALIZERS,
      mixin: () => {
        const { requestId } = requestContext.current();
        return requestId === '' ? {} : { request_id: requestId };
      },
      // The line of each request already has the id: pino would copy the whole line to add nothing.
      mixinMergeStrategy: (line, more) => ('request_id' in line ? line : { ...more, ...line }),
      hooks: {
        logMethod(line, write, level) {
          write.apply(this, line);
          if (level >= ERROR) output.flush();
        },
      },
    };
    this.pino = pino(options, output);
  }
}
