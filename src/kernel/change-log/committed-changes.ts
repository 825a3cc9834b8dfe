import { Injectable, Logger } from '@nestjs/common';

/** Announces that a change of interest to delivery has committed: a hint for workers that otherwise poll. */
@Injectable()
export class CommittedChanges {
  private readonly logger = new Logger('changes');
  private readonly listeners: (() => void)[] = [];

  /** The listener must return at once: a request is being answered. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Calls the listeners. The change is already committed, so a listener that fails must not make the request look
   * failed.
   */
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
