import { Injectable } from '@nestjs/common';
import { destination, type Logger, pino } from 'pino';
import { Config } from '../../config/config.js';
import { requestContext } from '../request-context.js';
import { describeError } from './describe-error.js';

/** Whatever is logged under these names, nothing of it that could hold a secret or somebody's text. */
export const SERIALIZERS = { req: () => undefined, res: () => undefined, err: describeError };

/**
 * A system call for each line took a tenth of a request's time. What has gathered is written at the latest after this
 * time, in milliseconds, and when the process ends in whatever way it can notice.
 */
const GATHERED = { minLength: 8_192, periodicFlush: 100 };

/** The one pino logger of the process. Each line says for which request it was written. */
@Injectable()
export class RootLogger {
  readonly pino: Logger;

  constructor(config: Config) {
    const options = {
      level: config.logLevel,
      serializers: SERIALIZERS,
      mixin: () => {
        const { requestId } = requestContext.current();
        return requestId === '' ? {} : { request_id: requestId };
      },
    };
    this.pino = pino(options, destination({ dest: process.stdout.fd, sync: false, ...GATHERED }));
  }
}
