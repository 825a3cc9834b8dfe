import { DomainError } from '../../kernel/errors/domain-error.js';

/** Names of events that a subscription can list (specification, Event types; rule 8.8). */
const PROPOSAL_EVENTS = ['created', 'ready', 'approved', 'rejected', 'applied', 'failed'] as const;
const NODE_EVENTS = ['node.created', 'node.updated', 'node.deleted', 'node.embedding.updated'] as const;
const SHARE_EVENTS = ['share.created', 'share.revoked'] as const;
export const PING = 'webhook.test';

const DOTTED = PROPOSAL_EVENTS.map((event) => `proposal.${event}`);
const KNOWN: ReadonlySet<string> = new Set([...NODE_EVENTS, ...SHARE_EVENTS, ...DOTTED]);

/** The dotted name of an event in either spelling; null for an unknown one. */
export function eventNamed(given: string): string | null {
  if (KNOWN.has(given)) return given;
  return (PROPOSAL_EVENTS as readonly string[]).includes(given) ? `proposal.${given}` : null;
}

const MAX_NAME_LENGTH = 100;

/** The error for an unknown event in a field (rule 9.6c); long names are truncated. */
export function unknownEvent(field: string, sent: string): DomainError {
  const name = sent.length > MAX_NAME_LENGTH ? `${sent.slice(0, MAX_NAME_LENGTH)}…` : sent;
  const message = `${JSON.stringify(name)} is not an event`;
  return new DomainError('INVALID_EVENT', 'One of the events does not exist', [{ field, message }]);
}

/** Names that either subscribe endpoint accepts: every event, those of proposals in both spellings. */
export const EVENT_NAMES = [...NODE_EVENTS, ...DOTTED, ...PROPOSAL_EVENTS, ...SHARE_EVENTS] as const;

export const PROPOSAL_EVENT_NAMES = [...PROPOSAL_EVENTS, ...DOTTED] as const;

/** The short name of a proposal event in either spelling; null for any other name. */
export function proposalEventNamed(given: string): string | null {
  const name = eventNamed(given);
  return name?.startsWith('proposal.') ? name.slice('proposal.'.length) : null;
}

export const isShareEvent = (event: string): boolean => (SHARE_EVENTS as readonly string[]).includes(event);
