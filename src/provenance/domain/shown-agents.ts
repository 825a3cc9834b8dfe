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

/** The most characters of a text of an agent in lists: as many as are accepted (rule 4.13f). */
const AGENT_TEXT = 1_000;
/** One more is read, to know a longer text of an earlier release. */
export const AGENT_TEXT_READ = AGENT_TEXT + 1;

/**
 * A text of an agent as a list shows it. A longer one is cut, except for callers for whom it would be changed: a part
 * of a text may not have the form that a mask recognizes in the whole.
 */
export async function shownAgentText(
  access: Access,
  { key, value }: { key: 'agent_name' | 'agent_type'; value: string | null },
  as: { states: ShownStates; slices: Slices },
): Promise<string | null> {
  const points = value === null || value.length <= AGENT_TEXT ? [] : [...value];
  if (points.length <= AGENT_TEXT) return shownOfAgent(access, { key, value, type: 'string' }, as);
  if (access.exposure.touches(`agent_metadata.${key}`)) return null;
  return points.slice(0, AGENT_TEXT).join('');
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
