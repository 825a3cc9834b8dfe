import { type Access, type ExposureStates } from '../../privacy/index.js';

/**
 * An agent's id in a version, as the caller is shown it: it stands in two fields of a node, and is shown as both would be (decisions
 * 3.15). An id is no text of the user's, so the detail level does not hide it. Null where it is not shown.
 */
export function shownAgentId({ exposure }: Access, id: string | null, states: ExposureStates): string | null {
  if (id === null) return null;
  const once = exposure.transformValue('last_modified_by_agent_id', id, states);
  const shown =
    once === undefined ? undefined : exposure.transformValue('agent_metadata.agent_id', once, states);
  return typeof shown === 'string' ? shown : null;
}

/** What an agent says of itself, as that part of `agent_metadata` is shown; null where it is not, or says nothing. */
export function shownOfAgent<T extends 'string' | 'number'>(
  { exposure }: Access,
  { key, value, type }: { key: string; value: unknown; type: T },
  states: ExposureStates,
): (T extends 'string' ? string : number) | null {
  const shown = exposure.exposeValue(`agent_metadata.${key}`, value, states);
  return (typeof shown === type ? shown : null) as (T extends 'string' ? string : number) | null;
}
