import { Injectable, Logger } from '@nestjs/common';

/** Says whose graph has just changed, after the commit: a hint for who would otherwise look again after a while. */
@Injectable()
export class CommittedChanges {
  private readonly logger = new Logger('changes');
  private readonly listeners: ((ownerId: string) => void)[] = [];

  /** The listener must not wait: a request is being answered. */
  listen(listener: (ownerId: string) => void): void {
    this.listeners.push(listener);
  }

  tell(ownerIds: Iterable<string>): void {
    for (const ownerId of ownerIds) for (const listener of this.listeners) this.hint(listener, ownerId);
  }

  /** What is committed stays committed: a listener that fails must not make the request look failed. */
  private hint(listener: (ownerId: string) => void, ownerId: string): void {
    try {
      listener(ownerId);
    } catch (error) {
      this.logger.error({ err: error }, 'a listener to committed changes failed');
    }
  }
}
