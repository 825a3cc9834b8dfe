import { Injectable } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { Config } from '../../config/config.js';
import { requestContext } from '../request-context.js';
import { describeError } from './describe-error.js';

/** The one pino logger of the process. Each line says for which request it was written. */
@Injectable()
export class RootLogger {
  readonly pino: Logger;

  constructor(config: Config) {
    this.pino = pino({
      level: config.logLevel,
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
      mixin: () => {
        const { requestId } = requestContext.current();
        return requestId === '' ? {} : { request_id: requestId };
      },
    });
  }
}
