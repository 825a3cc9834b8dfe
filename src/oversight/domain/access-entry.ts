export const ACCESS_ACTIONS = ['read', 'create', 'update', 'delete', 'refused'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** The ways by which things leave the service or are changed in it. */
export const ACCESS_WAYS = ['rest', 'mcp', 'webhook'] as const;
export type AccessWay = (typeof ACCESS_WAYS)[number];

/** One kind of access to a graph: equal accesses become one entry. */
export interface Accessed {
  /** The owner of the graph. */
  ownerId: string;
  byType: 'app' | 'user';
  /** An app of the owner's own. */
  appId: string | null;
  /** Its name at that time; null without an app. */
  appName: string | null;
  /** Another person, in person or through an app. */
  readerId: string | null;
  /** The session of the owner's app, for a caller by token. */
  sessionId: string | null;
  via: AccessWay;
  /** The tool of a call by MCP. */
  tool: string | null;
  action: AccessAction;
  /** Method and pattern of the route, or `webhook`. */
  endpoint: string;
  status: number;
}

/** The way and the tool of the request with this context. */
export const wayOf = ({
  via = 'rest',
  tool = null,
}: {
  via?: 'rest' | 'mcp';
  tool?: string | null;
}): Pick<Accessed, 'via' | 'tool'> => ({ via, tool });

export interface AccessEntry extends Accessed {
  id: string;
  /** Times of the first and the last answer; for refusals the hour in which they are counted, and the last. */
  since: Date;
  at: Date;
  requests: number;
  /** The number of nodes; nodes beyond {@link MAX_NODE_IDS} may be counted again in the next request. */
  nodeCount: number;
  nodeIds: string[];
  /** True for refusals, and where ids are left out: `since` is the hour, and equal ones of that hour are one entry. */
  isByHour: boolean;
}

/** An entry as its owner reads it. */
export interface StoredEntry extends Omit<AccessEntry, 'isByHour'> {
  /** True where ids of some of its nodes are not stored. */
  isWithoutIds: boolean;
}

/** The most ids that one entry holds. */
export const MAX_NODE_IDS = 1_000;

const CHANGES: Readonly<Record<string, AccessAction>> = { created: 'create', deleted: 'delete' };

/** The action of a change; every change but a creation or deletion is an update. */
export const actionOf = (change: string): AccessAction => CHANGES[change] ?? 'update';

/** Actions of methods that write. A POST that created nothing has changed something. */
const BY_METHOD: Readonly<Record<string, AccessAction>> = { DELETE: 'delete', POST: 'create' };

/**
 * The action of a request that neither changed nor showed anything of the graph, such as one about a subscription, by
 * its route.
 * @param endpoint method and pattern
 */
export function actionOfRoute(
  endpoint: string,
  { reads, status }: { reads: boolean; status: number },
): AccessAction {
  if (reads) return 'read';
  const action = BY_METHOD[endpoint.split(' ', 1)[0] as string] ?? 'update';
  return action === 'create' && status === 200 ? 'update' : action;
}
