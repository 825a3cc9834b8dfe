import { DomainError } from '../../kernel/errors/domain-error.js';

/**
 * The events that a subscription can list, and the entity of the change log whose changes cause each (specification,
 * Event types; rule 8.8). Changes of other entities are not read for receivers.
 */
const ENTITY_OF = {
  'node.created': 'node',
  'node.updated': 'node',
  'node.deleted': 'node',
  'node.embedding.updated': 'embedding',
  'relationship.created': 'relationship',
  'relationship.updated': 'relationship',
  'relationship.deleted': 'relationship',
  'tag.created': 'tag',
  'tag.updated': 'tag',
  'tag.deleted': 'tag',
  'proposal.created': 'proposal',
  'proposal.ready': 'proposal',
  'proposal.approved': 'proposal',
  'proposal.rejected': 'proposal',
  'proposal.applied': 'proposal',
  'proposal.failed': 'proposal',
  'share.created': 'share',
  'share.revoked': 'share',
  'authorization.created': 'authorization',
  'authorization.changed': 'authorization',
  'authorization.revoked': 'authorization',
} as const;

export type EventName = keyof typeof ENTITY_OF;
export type EventEntity = (typeof ENTITY_OF)[EventName];

const NAMES = Object.keys(ENTITY_OF) as EventName[];
/** The things beside nodes that have events. */
export type ThingEntity = Extract<EventEntity, 'relationship' | 'tag'>;

export const entityOf = (event: EventName): EventEntity => ENTITY_OF[event];

/** The kind of thing that an event is about; null for events of other entities. */
export function thingOf(event: string): ThingEntity | null {
  const entity = isEventName(event) ? entityOf(event) : null;
  return entity === 'relationship' || entity === 'tag' ? entity : null;
}

export const EVENT_ENTITIES: readonly EventEntity[] = [...new Set(Object.values(ENTITY_OF))];

/** The message of a test, which no change causes and no subscription lists. */
export const PING = 'webhook.test';

const isEventName = (name: string): name is EventName => Object.hasOwn(ENTITY_OF, name);

/** The event that is named after an entity and an action; null for any other pair. */
export function eventOf(entity: EventEntity, action: string): EventName | null {
  const isChange = entity === 'authorization' && action === 'updated';
  const name = `${entity}.${isChange ? 'changed' : action}`;
  return isEventName(name) ? name : null;
}

const namesOf = (entity: EventEntity): EventName[] => NAMES.filter((name) => ENTITY_OF[name] === entity);

/** The events that only people can subscribe to (rule 9.4d). */
export const PERSONS_EVENTS: readonly string[] = [...namesOf('share'), ...namesOf('authorization')];

export const isPersonsEvent = (event: string): boolean => PERSONS_EVENTS.includes(event);

const DOTTED = namesOf('proposal');
const PROPOSAL_EVENTS = DOTTED.map((name) => name.slice('proposal.'.length));

/** The dotted name of an event in either spelling; null for an unknown one. */
export function eventNamed(given: string): EventName | null {
  return isEventName(given) ? given : eventOf('proposal', given);
}

const MAX_NAME_LENGTH = 100;

/** The error for an unknown event in a field (rule 9.6c); long names are truncated. */
export function unknownEvent(field: string, sent: string): DomainError {
  const name = sent.length > MAX_NAME_LENGTH ? `${sent.slice(0, MAX_NAME_LENGTH)}…` : sent;
  const message = `${JSON.stringify(name)} is not an event`;
  return new DomainError('INVALID_EVENT', 'One of the events does not exist', [{ field, message }]);
}

/** Names that either subscribe endpoint accepts: every event, those of proposals in both spellings. */
export const EVENT_NAMES = [
  ...NAMES.filter((name) => !isPersonsEvent(name)),
  ...PROPOSAL_EVENTS,
  ...PERSONS_EVENTS,
];

export const PROPOSAL_EVENT_NAMES = [...PROPOSAL_EVENTS, ...DOTTED];

/** The short name of a proposal event in either spelling; null for any other name. */
export function proposalEventNamed(given: string): string | null {
  const name = eventNamed(given);
  return name?.startsWith('proposal.') ? name.slice('proposal.'.length) : null;
}
