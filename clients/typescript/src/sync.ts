import { ApiError, type Client } from './client.js';
import { type components } from './schema.js';

type Entry = components['schemas']['SyncPageDto']['changes'][number];
export type ReplicatedNode = components['schemas']['CreatedEntryDto']['node'];

/** A page to be applied: in one transaction with its cursor, for the two are one (docs/sync.md). */
export interface ReplicaState {
  put: ReplicatedNode[];
  /** Ids. */
  remove: string[];
  cursor: string;
  /** The replica begins anew: all that it held goes first, in the same transaction. */
  isReset: boolean;
}

/** Where a copy of the graph is kept. */
export interface Replica {
  /** The cursor that was stored with what is held; null: nothing is held. */
  cursor(): Promise<string | null> | string | null;
  /** All of it or nothing, and durable when it resolves. */
  apply(state: ReplicaState): Promise<void> | void;
}

export interface SyncOptions {
  /** `all`, `tag:<uuid>` or `schema:<uuid>`; each has cursors, and so a replica, of its own. */
  scope?: string;
  includeTags?: boolean;
  pageSize?: number;
  /** Seconds to wait for news when there are none, at most 30. */
  wait?: number;
  signal?: AbortSignal;
}

/**
 * Brings a replica up to date: it then holds what a full read would give. A cursor that is not taken any more (another
 * app, user or scope, or another server) ends in a new beginning, never in a mixture of two. Any other error goes on to
 * the caller and leaves the replica as it was with its cursor: also 403, for when access comes back it goes on from there.
 * @returns how many nodes were put and removed
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
    const state = { ...effectOf(page.changes), cursor: page.cursor, isReset };
    await replica.apply(state);
    done.put += state.put.length;
    done.removed += state.remove.length;
    if (!page.has_more) return done;
    cursor = page.cursor;
    isReset = false;
  }
}

/** Keeps a replica up to date until the signal says stop. Each time something has changed, it tells how much. */
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
  const { scope, includeTags, pageSize, wait, signal } = options;
  const query = {
    ...(cursor === null ? {} : { cursor }),
    ...(scope === undefined ? {} : { scope }),
    ...(includeTags === undefined ? {} : { include_tags: includeTags }),
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

/** Entries apply in their order; what a page says of one node last is what holds. */
function effectOf(entries: readonly Entry[]): Pick<ReplicaState, 'put' | 'remove'> {
  const last = new Map<string, ReplicatedNode | null>();
  for (const entry of entries) {
    if ('node' in entry) last.set(entry.node.id, entry.node);
    else if (entry.action === 'delete') last.set(entry.node_id, null);
  }
  const put: ReplicatedNode[] = [];
  const remove: string[] = [];
  for (const [id, node] of last) {
    if (node === null) remove.push(id);
    else put.push(node);
  }
  return { put, remove };
}

/** A replica in memory: for tests, and as a pattern for one in a database. */
export function memoryReplica(): Replica & { readonly nodes: Map<string, ReplicatedNode> } {
  const nodes = new Map<string, ReplicatedNode>();
  let stored: string | null = null;
  return {
    nodes,
    cursor: () => stored,
    apply({ put, remove, cursor, isReset }) {
      if (isReset) nodes.clear();
      for (const node of put) nodes.set(node.id, node);
      for (const id of remove) nodes.delete(id);
      stored = cursor;
    },
  };
}
