import { type Slices } from '../../kernel/slices.js';
import { type Access, type ShownStates } from '../../privacy/index.js';

/**
 * The agent's id of a version as the caller is shown it: two fields of a node contain it, and it is shown as both would
 * be (rule 3.15). An id is not a text of the user's, so the detail level does not hide it. Null if it is hidden.
 */
export function shownAgentId({ exposure }: Access, id: string | null, states: ShownStates): string | null {
  if (id === null) return null;
  const once = exposure.transformValue('last_modified_by_agent_id', id, states);
  const shown =
    once === undefined ? undefined : exposure.transformValue('agent_metadata.agent_id', once, states);
  return typeof shown === 'string' ? shown : null;
}

/**
 * A value that an agent wrote about itself, as that part of `agent_metadata` is shown; null if it is hidden or empty.
 */
export async function shownOfAgent<T extends 'string' | 'number'>(
  { exposure }: Access,
  { key, value, type }: { key: string; value: unknown; type: T },
  { states, slices }: { states: ShownStates; slices: Slices },
): Promise<(T extends 'string' ? string : number) | null> {
  const path = `agent_metadata.${key}`;
  const shown = await exposure.exposeValueInSlices({ path, value }, states, slices);
  return (typeof shown === type ? shown : null) as (T extends 'string' ? string : number) | null;
}
