import { Injectable } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { Config } from '../../config/config.js';
import { requestContext } from '../request-context.js';
import { describeError } from './describe-error.js';

/** Whatever is logged under these names, nothing of it that could hold a secret or somebody's text. */
export const SERIALIZERS = { req: () => undefined, res: () => undefined, err: describeError };

/** The one pino logger of the process. Each line says for which request it was written. */
@Injectable()
export class RootLogger {
  readonly pino: Logger;

  constructor(config: Config) {
    this.pino = pino({
      level: config.logLevel,
      serializers: SERIALIZERS,
      mixin: () => {
        const { requestId } = requestContext.current();
        return requestId === '' ? {} : { request_id: requestId };
      },
    });
  }
}
