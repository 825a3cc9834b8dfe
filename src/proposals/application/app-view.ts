import { type Slices } from '../../kernel/slices.js';
import { type Access } from '../../privacy/index.js';

/** The access of an app now, the same once the proposal is applied, and the work of showing. */
export interface AppView {
  access: Access;
  then: Access;
  /** The work for all apps of one comparison. */
  slices: Slices;
}

/**
 * The work of masks, in milliseconds, after which no further app, node or relationship is compared; what is under way is
 * finished.
 */
const MOST_MASKING_MS = 2_000;

/** True when a comparison has no time left (rule 8.10h). */
export const isTimeUp = ({ spentMs }: Pick<Slices, 'spentMs'>): boolean => spentMs > MOST_MASKING_MS;
