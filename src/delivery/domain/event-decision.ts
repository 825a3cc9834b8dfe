import { type ShownChanges } from '../../privacy/index.js';
import { type EventName } from './events.js';

/** The event, if any, that a change is for one receiver. */
export interface EventDecision {
  event: EventName;
  /** Set for deletions. */
  reason?: 'deleted' | 'access_removed';
  /** Set for updates. */
  changes?: ShownChanges;
  /** True if the receiver has the node or relationship after this event; absent if the event does not change that. */
  hasNodeAfter?: boolean;
}
