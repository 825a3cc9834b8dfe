import { type Access } from '../../privacy/index.js';

/** What transformations ask of the version that an agent wrote. */
interface Facts {
  tagIds: readonly string[];
  nodeType: string;
}

/**
 * An agent's id as the caller is shown it: it stands in two fields of a node, and is shown as both would be (decisions
 * 3.15). An id is no text of the user's, so the detail level does not hide it. Null where it is not shown.
 */
export function shownAgentId({ exposure }: Access, id: string | null, facts: Facts): string | null {
  if (id === null) return null;
  const once = exposure.transformValue('last_modified_by_agent_id', id, facts);
  const shown =
    once === undefined ? undefined : exposure.transformValue('agent_metadata.agent_id', once, facts);
  return typeof shown === 'string' ? shown : null;
}

/** What an agent says of itself, as that part of `agent_metadata` is shown; null where it is not, or says nothing. */
export function shownOfAgent<T extends 'string' | 'number'>(
  { exposure }: Access,
  { key, value, type }: { key: string; value: unknown; type: T },
  facts: Facts,
): (T extends 'string' ? string : number) | null {
  const shown = exposure.exposeValue(`agent_metadata.${key}`, value, facts);
  return (typeof shown === type ? shown : null) as (T extends 'string' ? string : number) | null;
}
