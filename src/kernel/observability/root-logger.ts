import { Injectable } from '@nestjs/common';
import { destination, type Logger, type LoggerOptions, pino } from 'pino';
import { Config } from '../../config/config.js';
import { requestContext } from '../request-context.js';
import { describeError } from './describe-error.js';

/** Whatever is logged under these names, nothing of it that could hold a secret or somebody's text. */
export const SERIALIZERS = { req: () => undefined, res: () => undefined, err: describeError };

/**
 * A system call for each line took a tenth of a request's time: lines gather for at most so many milliseconds, or until
 * they are so many characters. Errors leave at once. Of a reader who does not read nothing is kept beyond the last
 * number, nor does a process that ends wait for him for longer than five seconds.
 */
const GATHERED_MS = 100;
const GATHERED = { sync: false, minLength: 8_192, maxLength: 8 * 1024 * 1024 };
const RETRIES = 50;

/** The one pino logger of the process. Each line says for which request it was written. */
@Injectable()
export class RootLogger {
  readonly pino: Logger;

  constructor(config: Config) {
    let retries = 0;
    const stream = destination({
      dest: process.stdout.fd,
      ...GATHERED,
      retryEAGAIN: () => ++retries % RETRIES !== 0,
    });
    // There is nowhere to say it.
    stream.on('error', () => undefined);
    let due: NodeJS.Timeout | null = null;
    const flush = () => {
      due = null;
      stream.flush();
    };
    const options: LoggerOptions = {
      level: config.logLevel,
      serializers: SERIALIZERS,
      mixin: () => {
        const { requestId } = requestContext.current();
        return requestId === '' ? {} : { request_id: requestId };
      },
      hooks: {
        logMethod(line, write, level) {
          write.apply(this, line);
          if (level >= pino.levels.values.error!) stream.flushSync();
          else due ??= setTimeout(flush, GATHERED_MS).unref();
        },
      },
    };
    this.pino = pino(options, stream);
  }
}
