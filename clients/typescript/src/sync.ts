import { ApiError, type Client } from './client.js';
import { type components } from './schema.js';

type Entry = components['schemas']['SyncPageDto']['changes'][number];
export type ReplicatedNode = components['schemas']['CreatedEntryDto']['node'];
export type ReplicatedRelationship = components['schemas']['RelationshipDto'];
export type ReplicatedTag = components['schemas']['TagDto'];

/** The kinds of things that replicas can hold beside nodes. */
export type ReplicaPart = 'relationships' | 'tags';

/** The effect of a page on one kind of things: those to put under their ids, and the ids of those to remove. */
export interface Effect<Thing> {
  put: Thing[];
  remove: string[];
}

/** A page to apply in one transaction with its cursor, because the two belong together (docs/sync.md). */
export interface ReplicaState extends Effect<ReplicatedNode> {
  /** Absent unless `include` names them. */
  relationships?: Effect<ReplicatedRelationship>;
  tags?: Effect<ReplicatedTag>;
  cursor: string;
  /** True if the replica begins again: everything in it is removed first, in the same transaction. */
  isReset: boolean;
}

/** The store of a copy of the graph. */
export interface Replica {
  /** The cursor that was stored with the contents; null for an empty replica. */
  cursor(): Promise<string | null> | string | null;
  /** Applies all of it or nothing, durable when it resolves. */
  apply(state: ReplicaState): Promise<void> | void;
}

export interface SyncOptions {
  /** `all`, `tag:<uuid>` or `schema:<uuid>`; each has cursors, and so a replica, of its own. */
  scope?: string;
  includeTags?: boolean;
  /** Parts that the replica holds beside nodes. */
  include?: readonly ReplicaPart[];
  pageSize?: number;
  /** Seconds to wait for changes if there are none, at most 30. */
  wait?: number;
  signal?: AbortSignal;
}

/**
 * Brings a replica up to date: it then holds the same as a full read. A cursor that is no longer valid (another app,
 * user, scope or server) causes a new beginning, never a mixture of two. Any other error goes to the caller and leaves
 * the replica and its cursor unchanged: also 403, so that the sync continues when access comes back.
 * @returns the number of nodes, relationships and tags put and removed
 */
export async function syncOnce(
  client: Client,
  replica: Replica,
  options: SyncOptions = {},
): Promise<{ put: number; removed: number }> {
  let cursor = await replica.cursor();
  let isReset = cursor === null;
  const done = { put: 0, removed: 0 };
  for (;;) {
    const page = await pageAfter(client, cursor, options);
    if (page === 'refused cursor') {
      cursor = null;
      isReset = true;
      continue;
    }
    const state = { ...effectOf(page.changes, options.include), cursor: page.cursor, isReset };
    await replica.apply(state);
    for (const effect of [state, state.relationships, state.tags]) {
      done.put += effect?.put.length ?? 0;
      done.removed += effect?.remove.length ?? 0;
    }
    if (!page.has_more) return done;
    cursor = page.cursor;
    isReset = false;
  }
}

/** Keeps a replica up to date until the signal aborts. It yields the number of changes each time. */
export async function* follow(
  client: Client,
  replica: Replica,
  options: SyncOptions & { signal: AbortSignal },
): AsyncGenerator<{ put: number; removed: number }> {
  while (!options.signal.aborted) {
    try {
      const done = await syncOnce(client, replica, { wait: 30, ...options });
      if (done.put + done.removed > 0) yield done;
    } catch (error) {
      if (options.signal.aborted) return;
      throw error;
    }
  }
}

async function pageAfter(client: Client, cursor: string | null, options: SyncOptions) {
  const { scope, includeTags, include = [], pageSize, wait, signal } = options;
  const query = {
    ...(cursor === null ? {} : { cursor }),
    ...(scope === undefined ? {} : { scope }),
    ...(includeTags === undefined ? {} : { include_tags: includeTags }),
    ...(include.length === 0 ? {} : { include: includedAs(include) }),
    ...(pageSize === undefined ? {} : { limit: pageSize }),
    ...(cursor === null || wait === undefined ? {} : { wait }),
  };
  try {
    const { data } = await client.GET('/api/v1/sync', { params: { query }, ...(signal ? { signal } : {}) });
    if (data === undefined) throw new Error('the service gave no page');
    return data;
  } catch (error) {
    if (cursor !== null && error instanceof ApiError && error.code === 'INVALID_CURSOR')
      return 'refused cursor';
    throw error;
  }
}

const includedAs = (parts: readonly ReplicaPart[]): 'relationships' | 'tags' | 'relationships,tags' =>
  parts.includes('relationships')
    ? parts.includes('tags')
      ? 'relationships,tags'
      : 'relationships'
    : 'tags';

type Thing = ReplicatedNode | ReplicatedRelationship | ReplicatedTag;

/** The last entry of a page about a thing decides, because entries apply in order. */
function effectOf(
  entries: readonly Entry[],
  include: readonly ReplicaPart[] = [],
): Effect<ReplicatedNode> & Pick<ReplicaState, 'relationships' | 'tags'> {
  const last = { node: new Map(), relationship: new Map(), tag: new Map() } as Record<
    'node' | 'relationship' | 'tag',
    Map<string, Thing | null>
  >;
  for (const entry of entries) {
    const fields = entry as unknown as Record<string, unknown>;
    const entity = (fields['entity'] ?? 'node') as 'node' | 'relationship' | 'tag';
    const thing = fields[entity] as Thing | undefined;
    if (thing !== undefined) last[entity].set(thing.id, thing);
    else if (entry.action === 'delete') last[entity].set(fields[`${entity}_id`] as string, null);
  }
  return {
    ...effect<ReplicatedNode>(last.node),
    ...(include.includes('relationships')
      ? { relationships: effect<ReplicatedRelationship>(last.relationship) }
      : {}),
    ...(include.includes('tags') ? { tags: effect<ReplicatedTag>(last.tag) } : {}),
  };
}

function effect<T extends Thing>(last: ReadonlyMap<string, Thing | null>): Effect<T> {
  const put: T[] = [];
  const remove: string[] = [];
  for (const [id, thing] of last) {
    if (thing === null) remove.push(id);
    else put.push(thing as T);
  }
  return { put, remove };
}

const NONE: Effect<never> = { put: [], remove: [] };

interface MemoryReplica extends Replica {
  readonly nodes: Map<string, ReplicatedNode>;
  readonly relationships: Map<string, ReplicatedRelationship>;
  readonly tags: Map<string, ReplicatedTag>;
}

/** A replica in memory: for tests, and as a pattern for one in a database. */
export function memoryReplica(): MemoryReplica {
  const nodes = new Map<string, ReplicatedNode>();
  const relationships = new Map<string, ReplicatedRelationship>();
  const tags = new Map<string, ReplicatedTag>();
  let stored: string | null = null;
  return {
    nodes,
    relationships,
    tags,
    cursor: () => stored,
    apply(state) {
      if (state.isReset) for (const things of [nodes, relationships, tags]) things.clear();
      applyTo(nodes, state);
      applyTo(relationships, state.relationships);
      applyTo(tags, state.tags);
      stored = state.cursor;
    },
  };
}

function applyTo<T extends Thing>(things: Map<string, T>, { put, remove }: Effect<T> = NONE): void {
  for (const thing of put) things.set(thing.id, thing);
  for (const id of remove) things.delete(id);
}
