/**
 * A model of a person's graph and rules, written as plainly as possible and without any code of the service.
 * It knows which caller sees each node, and when and how a node went; the content of nodes comes from the
 * service's own full reads.
 */
export interface ModelNode {
  id: string;
  title: string;
  type: string;
  hasSchema: boolean;
  tags: string[];
  deleted: boolean;
}

export interface ModelEdge {
  id: string;
  from: string;
  to: string;
  deleted: boolean;
}

export interface ModelTag {
  id: string;
  name: string;
  deleted: boolean;
}

/** Requests, in ascending order. */
export const ASKED = ['nothing', 'freeform', 'everything'] as const;
export type Asked = (typeof ASKED)[number];

export interface ModelProfile {
  readAll: boolean;
  readTags: string[];
  excludedTags: string[];
  /** Tags that an exclude by name means: by id if one is known, else by name. */
  excludedNames: { id: string | null; name: string }[];
  /** Tags that an exclude by name has ever reached since it was written. */
  bound: string[];
  excludedTypes: string[];
  allowedNodes: string[];
  detail: 'full' | 'summary' | 'minimal';
  change: 'none' | 'cut' | 'mask' | 'round';
  active: boolean;
}

export interface ModelState {
  nodes: ModelNode[];
  edges: ModelEdge[];
  tags: ModelTag[];
  profiles: ModelProfile[];
  /** The profile of the app's authorization, among the profiles. */
  current: number;
  authorized: boolean;
  approved: Asked;
  asked: Asked;
}

export type Caller = 'owner' | 'app';
/** A position in the lists of the state, or everything. */
export type ModelScope = { kind: 'all' } | { kind: 'tag'; id: string } | { kind: 'schema' };

export const emptyProfile = (): ModelProfile => ({
  readAll: false,
  readTags: [],
  excludedTags: [],
  excludedNames: [],
  bound: [],
  excludedTypes: [],
  allowedNodes: [],
  detail: 'full',
  change: 'none',
  active: true,
});

export const profileOf = (state: ModelState): ModelProfile => state.profiles[state.current] as ModelProfile;

const effective = (state: ModelState): number =>
  Math.min(ASKED.indexOf(state.approved), ASKED.indexOf(state.asked));

const isLivingTag = (state: ModelState, id: string): boolean =>
  state.tags.some((tag) => tag.id === id && !tag.deleted);

/** True if calls for this user are answered. */
const isLetIn = (state: ModelState): boolean => state.authorized && profileOf(state).active;

/** True if the app may read anything at all. */
export function mayRead(state: ModelState): boolean {
  const profile = profileOf(state);
  const grants =
    profile.readAll ||
    profile.readTags.some((id) => isLivingTag(state, id)) ||
    profile.allowedNodes.length > 0;
  return isLetIn(state) && effective(state) > 0 && grants;
}

export function sees(state: ModelState, caller: Caller, node: ModelNode): boolean {
  if (node.deleted) return false;
  if (caller === 'owner') return true;
  if (!isLetIn(state) || effective(state) === 0) return false;
  if (effective(state) === 1 && node.hasSchema) return false;
  const profile = profileOf(state);
  const excluded = [...profile.excludedTags, ...profile.bound];
  if (node.tags.some((id) => excluded.includes(id)) || profile.excludedTypes.includes(node.type))
    return false;
  if (profile.allowedNodes.includes(node.id) || profile.readAll) return true;
  return node.tags.some((id) => profile.readTags.includes(id) && isLivingTag(state, id));
}

export function isIn(scope: ModelScope, node: ModelNode): boolean {
  if (scope.kind === 'all') return true;
  return scope.kind === 'tag' ? node.tags.includes(scope.id) : node.hasSchema;
}

export const visibleIds = (state: ModelState, caller: Caller, scope: ModelScope): string[] =>
  state.nodes.filter((node) => sees(state, caller, node) && isIn(scope, node)).map(({ id }) => id);

/**
 * Binds the names of excludes: one whose tag is deleted reaches the tag that has the name now, and remains
 * bound to it.
 */
export function bindNames(state: ModelState): void {
  for (const profile of state.profiles) {
    for (const reference of profile.excludedNames) {
      const tag = state.tags.find(({ id }) => id === reference.id);
      if (tag !== undefined && !profile.bound.includes(tag.id)) profile.bound.push(tag.id);
      if (tag !== undefined && !tag.deleted) continue;
      const name = tag?.name ?? reference.name;
      for (const { id, name: other } of state.tags)
        if (other === name && !profile.bound.includes(id)) profile.bound.push(id);
    }
  }
}

/**
 * Writes an exclude by names: each means all tags of its name, and any tag that takes the name while none of
 * them lives.
 */
export function excludeNames(state: ModelState, profile: ModelProfile, names: readonly string[]): void {
  profile.bound = [];
  profile.excludedNames = names.flatMap((name): ModelProfile['excludedNames'] => {
    const same = state.tags.filter((tag) => tag.name === name);
    return same.length === 0 ? [{ id: null, name }] : same.map(({ id }) => ({ id, name }));
  });
}

/** The expected deletion of a node that the client held, from the state of the world after each step. */
export function expectedDeletion(
  history: readonly ModelState[],
  { caller, scope, id }: { caller: Caller; scope: ModelScope; id: string },
): { reason: string; title: string | null } {
  const now = history.at(-1) as ModelState;
  const find = (state: ModelState | undefined) => state?.nodes.find((node) => node.id === id);
  const node = find(now) as ModelNode;
  if (!node.deleted)
    return { reason: sees(now, caller, node) ? 'scope_left' : 'access_removed', title: null };
  let at = history.length - 1;
  while (find(history[at])?.deleted) at--;
  const [state, last] = [history[at] as ModelState, find(history[at]) as ModelNode];
  if (!sees(state, caller, last)) return { reason: 'access_removed', title: null };
  if (!isIn(scope, last)) return { reason: 'scope_left', title: null };
  const isReadableNow = sees(now, caller, last);
  return { reason: 'deleted', title: isReadableNow ? titleShown(now, caller, last.title) : null };
}

function titleShown(state: ModelState, caller: Caller, title: string): string | null {
  if (caller === 'owner') return title;
  const { detail, change } = profileOf(state);
  if (detail === 'minimal') return null;
  return change === 'cut' ? title.slice(0, 3) : title;
}

const endsOf = (state: ModelState, { from, to }: ModelEdge): ModelNode[] =>
  state.nodes.filter(({ id }) => id === from || id === to);

const exists = (state: ModelState, edge: ModelEdge): boolean =>
  !edge.deleted && endsOf(state, edge).every(({ deleted }) => !deleted);

/** A relationship is seen where both its nodes are. */
export const seesEdge = (state: ModelState, caller: Caller, edge: ModelEdge): boolean =>
  !edge.deleted && endsOf(state, edge).every((node) => sees(state, caller, node));

export const isEdgeIn = (state: ModelState, scope: ModelScope, edge: ModelEdge): boolean =>
  endsOf(state, edge).every((node) => isIn(scope, node));

/** Tags are known to apps that read with them. */
export function knowsTag(state: ModelState, caller: Caller, { id, deleted }: ModelTag): boolean {
  if (deleted) return false;
  if (caller === 'owner') return true;
  const { readAll, readTags } = profileOf(state);
  return isLetIn(state) && effective(state) > 0 && (readAll || readTags.includes(id));
}

/** The same as for nodes: the reason for which a relationship or a tag left the replica. */
export function expectedReason(
  history: readonly ModelState[],
  { caller, scope, id, entity }: { caller: Caller; scope: ModelScope; id: string; entity: string },
): string {
  const presence = (state: ModelState): string => {
    const edge = state.edges.find((one) => one.id === id);
    const tag = state.tags.find((one) => one.id === id);
    if (entity === 'tag') {
      if (tag === undefined || tag.deleted) return 'gone';
      return knowsTag(state, caller, tag) ? 'deleted' : 'access_removed';
    }
    if (edge === undefined || !exists(state, edge)) return 'gone';
    if (!seesEdge(state, caller, edge)) return 'access_removed';
    return isEdgeIn(state, scope, edge) ? 'deleted' : 'scope_left';
  };
  return (
    [...history]
      .reverse()
      .map(presence)
      .find((reason) => reason !== 'gone') ?? 'never there'
  );
}
