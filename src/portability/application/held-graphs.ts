import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type ChangeFollower, ChangeFollowers } from '../../kernel/change-log/change-followers.js';
import { type RecordedChange } from '../../kernel/change-log/change.js';
import { RESTORED_ENTITIES } from '../domain/restored-tables.js';

/** The entities of a graph. Rules are not among them: narrowing what others may do is never refused. */
const HELD = new Set(RESTORED_ENTITIES.filter((entity) => entity !== 'exposure_profile'));

/**
 * Graphs to which nobody writes while they are copied, in this process. Writers get 503 with `Retry-After`, and
 * nothing of their unit of work is written (ADR 55).
 */
@Injectable()
export class HeldGraphs implements ChangeFollower, OnModuleInit {
  /** The number of copies under way, by owner. */
  private readonly copies = new Map<string, number>();

  constructor(private readonly followers: ChangeFollowers) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  /** Holds a graph for the time of the work. Writes that were on their way may still come. */
  async during<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
    this.copies.set(ownerId, (this.copies.get(ownerId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.copies.get(ownerId) ?? 1) - 1;
      if (left > 0) this.copies.set(ownerId, left);
      else this.copies.delete(ownerId);
    }
  }

  /** @throws SERVICE_UNAVAILABLE for a change of a graph that is held */
  follow(recorded: readonly RecordedChange[]): null {
    if (this.copies.size === 0) return null;
    if (recorded.some(({ change }) => this.copies.has(change.ownerId) && HELD.has(change.entity)))
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'This graph accepts no writes at the moment; try again later',
      );
    return null;
  }
}
