import { ApiError, type Client } from './client.js';
import { type components } from './schema.js';

type Entry = components['schemas']['SyncPageDto']['changes'][number];
export type ReplicatedNode = components['schemas']['CreatedEntryDto']['node'];

/** A page to apply in one transaction with its cursor, because the two belong together (docs/sync.md). */
export interface ReplicaState {
  put: ReplicatedNode[];
  /** Ids of nodes to remove. */
  remove: string[];
  cursor: string;
  /** True if the replica begins again: everything in it is removed first, in the same transaction. */
  isReset: boolean;
}

/** The store of a copy of the graph. */
export interface Replica {
  /** The cursor that was stored with the nodes; null for an empty replica. */
  cursor(): Promise<string | null> | string | null;
  /** Applies all of it or nothing, durable when it resolves. */
  apply(state: ReplicaState): Promise<void> | void;
}

export interface SyncOptions {
  /** `all`, `tag:<uuid>` or `schema:<uuid>`; each has cursors, and so a replica, of its own. */
  scope?: string;
  includeTags?: boolean;
  pageSize?: number;
  /** Seconds to wait for changes if there are none, at most 30. */
  wait?: number;
  signal?: AbortSignal;
}

/**
 * Brings a replica up to date: it then holds the same as a full read. A cursor that is no longer valid (another app,
 * user, scope or server) causes a new beginning, never a mixture of two. Any other error goes to the caller and leaves
 * the replica and its cursor unchanged: also 403, so that the sync continues when access comes back.
 * @returns the number of nodes put and removed
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

/** The last entry of a page about a node decides, because entries apply in order. */
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
