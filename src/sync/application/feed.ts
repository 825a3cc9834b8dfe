import { type Slices } from '../../kernel/slices.js';
import { type RuleDifference } from '../../privacy/index.js';
import { type ChangeEntry } from '../domain/change-entry.js';
import { type Base, type Pass } from '../domain/replica.js';
import { type View } from './view.js';

/** A pass under way, and the rules that have changed since its base. */
export interface Stage {
  base: Base | null;
  pass: Pass;
  difference: RuleDifference;
}

/** The source of the entries of one kind of things, walked in the order of their keys. */
export interface Feed<Thing extends { key: number }> {
  begin(view: View, base: Base | null, difference: RuleDifference): Pass;
  /** The next things of the pass. @returns also the key up to which nothing else exists */
  next(view: View, stage: Stage, limit: number): Promise<{ things: Thing[]; reached: number }>;
  /** The step for each thing, in their order; null where a client has nothing to do. */
  entries(
    view: View,
    stage: Stage,
    work: { things: readonly Thing[]; slices: Slices },
  ): AsyncGenerator<ChangeEntry | null>;
}

export type AnyFeed = Feed<{ key: number }>;
