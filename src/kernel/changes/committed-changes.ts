import { Injectable } from '@nestjs/common';

/** Says whose graph has just changed, after the commit: a hint for who would otherwise look again after a while. */
@Injectable()
export class CommittedChanges {
  private readonly listeners: ((ownerId: string) => void)[] = [];

  /** The listener must not throw and not wait: a request is being answered. */
  listen(listener: (ownerId: string) => void): void {
    this.listeners.push(listener);
  }

  tell(ownerIds: Iterable<string>): void {
    for (const ownerId of ownerIds) for (const listener of this.listeners) listener(ownerId);
  }
}
