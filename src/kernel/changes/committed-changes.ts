import { Injectable, Logger } from '@nestjs/common';

/** Says that a change of which somebody is to be told has committed: a hint for who would otherwise look after a while. */
@Injectable()
export class CommittedChanges {
  private readonly logger = new Logger('changes');
  private readonly listeners: (() => void)[] = [];

  /** The listener must not wait: a request is being answered. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** What is committed stays committed: a listener that fails must not make the request look failed. */
  tell(): void {
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        this.logger.error({ err: error }, 'a listener to committed changes failed');
      }
    }
  }
}
