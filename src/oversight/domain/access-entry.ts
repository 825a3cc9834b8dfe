export const ACCESS_ACTIONS = ['read', 'create', 'update', 'delete', 'refused'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** Who did what with whose graph, and how: what is alike in this is one entry. */
export interface Accessed {
  /** Whose graph. */
  ownerId: string;
  byType: 'app' | 'user';
  /** An app of the owner's own. */
  appId: string | null;
  /** What it was called then; null where the app is. */
  appName: string | null;
  /** Another person, in person or by an app of that person's. */
  readerId: string | null;
  action: AccessAction;
  /** Method and pattern of the route, or `webhook`. */
  endpoint: string;
  status: number;
}

export interface AccessEntry extends Accessed {
  id: string;
  /** When its first and its last request were answered; of refusals the hour in which they are counted, and the last. */
  since: Date;
  at: Date;
  requests: number;
  /** How many nodes; of more than {@link MAX_NODE_IDS} some are counted again in the next request. */
  nodeCount: number;
  nodeIds: string[];
}

/** Ids that are kept of one entry. */
export const MAX_NODE_IDS = 1_000;

const CHANGES: Readonly<Record<string, AccessAction>> = { created: 'create', deleted: 'delete' };

/** Every other action of the change log leaves the thing there. */
export const actionOf = (change: string): AccessAction => CHANGES[change] ?? 'update';

/** Of the methods that do not read. A POST that made nothing has changed what was there. */
const BY_METHOD: Readonly<Record<string, AccessAction>> = { DELETE: 'delete', POST: 'create' };

/**
 * What a request did that neither changed nor showed anything of the graph, such as one about a subscription: what its
 * route is for.
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
