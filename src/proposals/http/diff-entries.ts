import { discovers, type JsonObject, type Node, type NodeRecord, type WireNode } from '../../graph/index.js';
import { pathName } from '../../kernel/path-names.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, sees } from '../../privacy/index.js';
import { type Forecast } from '../application/expected-nodes.js';
import { valueAt } from '../domain/deltas.js';
import { type EdgesSoFar } from '../domain/edge-steps.js';
import { type PreparedNode } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { type ConflictPaths } from './conflict-paths.js';
import { differing, fieldDiff, pathsOfPatch } from './field-diffs.js';
import { type DiffEntryDto, type FieldDiffDto } from './proposal-review.dto.js';

export interface Look {
  access: Access;
  proposal: Proposal;
  /** See BaseConflicts. */
  proposer: Access | null;
  /** Living nodes that the viewer may read, as far as they are named by the actions that are compared now. */
  nodes: ReadonlyMap<string, Node>;
  /** The state in which earlier actions leave them; null for an app, which is shown no computed states. */
  forecast: Forecast | null;
  /** The relationships as these leave them; null where the forecast is. */
  edges: EdgesSoFar | null;
  /** The time slices in which they are shown. */
  slices: Slices;
  /** The number of relationships that further merges may move, and of titles that may be compared with others. */
  room: { edges: number; titles: number };
}

/** An entry before names are added. */
export type Entry = Omit<DiffEntryDto, 'action_id' | 'type' | 'title' | 'values_omitted'>;

/** Fields that hold the id of a node. */
export const ENDS = ['from_node_id', 'to_node_id'] as const;

/** The living nodes that the viewer may read. */
export const readableOf = (access: Access, nodes: ReadonlyMap<string, Node>): Map<string, Node> =>
  new Map([...nodes].filter(([, node]) => !node.isDeleted && sees(access.nodes.read, node.facts)));

/** A node as the actions before leave it. */
export const stateOf = ({ forecast }: Look, node: Node): NodeRecord =>
  forecast?.stateOf(node.id) ?? node.record;

/** The node of that id, unless an action before ends it. */
export const nodeAt = ({ forecast, nodes }: Look, id: unknown): Node | undefined => {
  const known = String(id).toLowerCase();
  return forecast?.stateOf(known) === null ? undefined : nodes.get(known);
};

const NOT_THERE = 'NODE_NOT_FOUND';

/** The app's own words. */
export function appsAfter(shown: WireNode, { payload }: Step, conflicts: ConflictPaths): FieldDiffDto[] {
  const words = without((payload['changes'] ?? {}) as JsonObject, ['tags', 'change_reason']);
  return Object.entries(words).flatMap(([field, word]) => {
    const parts = field === 'metadata' ? pathsOfPatch(word, [field]) : [{ path: [field], value: word }];
    return parts.map(({ path, value }) => {
      return fieldDiff(pathName(path), valueAt(shown, path), value, conflicts.covers(path));
    });
  });
}

export function tagsAfter(
  access: Access,
  shown: WireNode,
  { added, removed }: PreparedNode['tags'],
): JsonObject {
  if (added.length + removed.length === 0) return {};
  const gone = new Set(removed.map((id) => access.vocabulary.nameOf(id)));
  const names = ((shown['tags'] ?? []) as string[]).filter((name) => !gone.has(name));
  return { tags: [...new Set([...names, ...tagNamesOf(access, added)])] };
}

/** The names of tags given by id, as far as the viewer may know them. */
function tagNamesOf(access: Access, words: readonly string[]): string[] {
  return words.map((word) => {
    const id = word.trim().toLowerCase();
    const name = access.isOwner || discovers(access, id) ? access.vocabulary.nameOf(id) : null;
    return name ?? word.trim();
  });
}

const without = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

/** The words and the tags of a new node. */
export function nodeWords({ access, proposal }: Look, { id, ref, payload }: Step): JsonObject {
  const fields = without(payload, ['tags', 'ref', 'id', 'change_reason']);
  const tags = (payload['tags'] ?? []) as string[];
  const { tags: all, entity_tags: byEntity } = proposal.record;
  const own = [id, ref].flatMap((name) =>
    name !== null && byEntity !== null && Object.hasOwn(byEntity, name) ? (byEntity[name] as string[]) : [],
  );
  return { ...fields, tags: [...new Set(tagNamesOf(access, [...tags, ...all, ...own]))] };
}

export function connected({ nodes }: Look, { payload }: Step): Entry {
  const ends = [payload['from_node_id'], payload['to_node_id']].filter((end) => end !== undefined);
  const isThere = ends.every((end) => nodes.has((end as string).toLowerCase()));
  return { ...made('relationship', without(payload, ['id', 'ref'])), error: isThere ? null : NOT_THERE };
}

export const made = (entity: 'node' | 'relationship', words: JsonObject): Entry => ({
  entity,
  change: 'create',
  entity_id: null,
  fields: differing(Object.entries(words).map(([field, value]) => fieldDiff(field, null, value))),
  error: null,
});

export const missing = (entity: 'node' | 'relationship', id: string, change: string): Entry => ({
  entity,
  change,
  entity_id: id,
  fields: [],
  error: NOT_THERE,
});

/** The title of a node that this proposal makes. */
export function titleOfRef(proposal: Proposal, name: string): string | null {
  const step = proposal.steps.find(
    ({ id, ref, type }) => type === 'CREATE_NODE' && (ref === name || id === name),
  );
  const title = step?.payload['title'];
  return typeof title === 'string' ? title : null;
}
