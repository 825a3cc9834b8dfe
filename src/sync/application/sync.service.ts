import { Injectable } from '@nestjs/common';
import { NodePresenter, NodesQueries, slicesOfShowing } from '../../graph/index.js';
import { SharedWork } from '../../kernel/shared-work.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import {
  type Access,
  AccessReports,
  type Moment,
  notAuthorized,
  PastAccesses,
  seesEverything,
  type Viewer,
} from '../../privacy/index.js';
import { type ChangeEntry } from '../domain/change-entry.js';
import { ALL, parseScope, type Scope } from '../domain/scope.js';
import { toBytes } from '../domain/replica-bytes.js';
import { beginningAt, newestOf, NOTHING, type PartName, partsOf, type Replica } from '../domain/replica.js';
import { LoggedNodesQueries } from '../infrastructure/logged-nodes.queries.js';
import { SyncPositions } from '../infrastructure/sync-positions.queries.js';
import { Cursors } from './cursors.service.js';
import { type Pulled, Pulls } from './pulls.service.js';
import { type View } from './view.js';

/** The caller of a request, and the positions of the logs at its beginning. */
export interface SyncRequest {
  viewer: Viewer;
  now: Moment;
  /** The access that the guard made. */
  access: Access;
  /** Throws NOT_FOUND unless the caller can see the tag or schema of a scope. */
  locate: (scope: Scope) => Promise<void>;
}

export interface Pending {
  pendingChanges: number;
  /** There are more than were counted. */
  pendingMore: boolean;
}

export interface ScopeStatus extends Pending {
  lastSyncAt: Date;
  lastVersionSeen: number;
}

export interface Status extends Pending {
  totalVersions: number;
  latestChange: unknown;
  lastSyncAt: Date | null;
  /** Null for owners, for whom no positions are stored. */
  scopes: Map<string, ScopeStatus> | null;
}

/** The limit to which pending changes are counted: each is found by comparing two states of a node. */
const MOST_COUNTED = 1_000;

/** Change feed and positions of one person's graph (rules 7.7-7.11). */
@Injectable()
export class Sync {
  private readonly underWay = new SharedWork<Pulled>();

  constructor(
    private readonly pulls: Pulls,
    private readonly cursors: Cursors,
    private readonly pastAccesses: PastAccesses,
    private readonly positions: SyncPositions,
    private readonly logged: LoggedNodesQueries,
    private readonly nodes: NodesQueries,
    private readonly presenter: NodePresenter,
    private readonly accessReports: AccessReports,
  ) {}

  /**
   * Checks a request in the order of rule 7.11.
   * @param include the parts that are pulled beside nodes
   * @throws FORBIDDEN, INVALID_SCOPE, NOT_FOUND
   */
  async view(request: SyncRequest, scopeText: unknown, include: readonly PartName[] = []): Promise<View> {
    refuseUnreadable(request.access);
    const scope = parseScope(scopeText);
    if (scope === null) {
      throw new DomainError('INVALID_SCOPE', 'The scope must be all, tag:<uuid> or schema:<uuid>');
    }
    const view = await this.viewOf(request, scope, include);
    await request.locate(scope);
    return view;
  }

  /** The state of the client's replica. @throws INVALID_CURSOR */
  open({ viewer, scope, now }: View, cursor: unknown): Replica {
    if (cursor === undefined) return NOTHING;
    const replica = typeof cursor === 'string' ? this.cursors.open(viewer, scope, cursor) : null;
    // A log that is shorter than the delivered part was restored from a backup: the client starts again.
    if (replica === null || newestOf(replica) > now.changes) {
      throw new DomainError(
        'INVALID_CURSOR',
        'The cursor is invalid for this app, user and scope; discard the replica and start again without a cursor',
      );
    }
    return replica;
  }

  /** The state of a client that wants nothing of what is there already. */
  present({ now, include }: View): Replica {
    return beginningAt(now, include);
  }

  /** Moves the stored position of an app to the presented one (rule 7.10). */
  async record({ viewer: { ownerId, appId, scopes }, scope }: View, presented: Replica): Promise<void> {
    if (appId === null || scopes !== undefined) return;
    await this.positions.record(
      { ownerId, appId, scope: scope.text },
      presented === NOTHING ? null : presented,
    );
  }

  /** A page to send. @param gone aborted when nobody waits for it any longer */
  async pull(view: View, replica: Replica, limit: number, gone: AbortSignal): Promise<Pulled> {
    const pulled = await this.shared(view, replica, { limit, gone });
    const { access } = view.access;
    for (const entry of pulled.entries)
      this.accessReports.shown(access, { owner_id: access.ownerId, id: nodeOf(entry) });
    return pulled;
  }

  /** Shares one page between streams of a caller that hold the same state and wake for the same change. */
  private shared(
    view: View,
    replica: Replica,
    { limit, gone }: { limit: number; gone: AbortSignal },
  ): Promise<Pulled> {
    const { viewer, scope, now, access, include } = view;
    const place = Buffer.from(toBytes(replica)).toString('base64');
    const key = [
      viewer.ownerId,
      viewer.appId,
      access.access.key,
      scope.text,
      now.changes,
      now.app,
      place,
      limit,
      include.join(),
    ];
    return this.underWay.share(key.join(' '), gone, (abandoned) =>
      this.pulls.pull(view, replica, limit, abandoned),
    );
  }

  cursor({ viewer, scope }: View, replica: Replica): string {
    return this.cursors.seal(viewer, scope, replica);
  }

  /** @throws FORBIDDEN */
  async status(request: SyncRequest, gone: AbortSignal): Promise<Status> {
    refuseUnreadable(request.access);
    const { viewer, now } = request;
    const view = await this.viewOf(request, ALL, []);
    const isWhole = seesEverything(view.access.access);
    const latestChange = isWhole
      ? ((await this.logged.timeOf(viewer.ownerId, now.changes))?.toISOString() ?? null)
      : await this.newestShown(request.access);
    if (viewer.appId === null)
      return { totalVersions: now.changes, latestChange, ...NO_PENDING, lastSyncAt: null, scopes: null };
    const scopes = await this.scopes(request, viewer.appId, { isWhole, gone });
    const all = scopes.get(ALL.text);
    const { pendingChanges, pendingMore } =
      all ?? (await this.pending(request, ALL, { replica: null, gone }));
    const totalVersions = isWhole ? now.changes : (all?.lastVersionSeen ?? 0) + pendingChanges;
    const lastSyncAt = newest([...scopes.values()]);
    return { totalVersions, latestChange, lastSyncAt, pendingChanges, pendingMore, scopes };
  }

  /** The time of the newest change of nodes that the caller can read, as far as it is shown. */
  private async newestShown(access: Access): Promise<unknown> {
    const newest = { filter: {}, sort: 'updated_at', order: 'desc', limit: 1, offset: 0 } as const;
    const [record] = (await this.nodes.list(access, newest)).records;
    if (record === undefined) return null;
    const slices = slicesOfShowing();
    await this.presenter.stamp(access, [record], slices);
    return (await this.presenter.presentState(access, record, slices))['updated_at'] ?? null;
  }

  /** @param isWhole true if the caller sees everything, and so the owner's own numbers */
  private async scopes(
    request: SyncRequest,
    appId: string,
    { isWhole, gone }: { isWhole: boolean; gone: AbortSignal },
  ): Promise<Map<string, ScopeStatus>> {
    const scopes = new Map<string, ScopeStatus>();
    // Positions are of replicas by key: what a replica holds depends on the scopes of its token.
    if (request.viewer.scopes !== undefined) return scopes;
    for (const position of await this.positions.list(request.viewer.ownerId, appId)) {
      // Nobody reads the answer any longer.
      if (gone.aborted) break;
      const { scope, replica, lastSyncAt } = position;
      const lastVersionSeen = isWhole ? position.lastVersionSeen : (replica?.counted ?? 0);
      const pending = await this.pending(request, parseScope(scope) as Scope, { replica, gone });
      scopes.set(scope, { lastSyncAt, lastVersionSeen, ...pending });
    }
    return scopes;
  }

  /**
   * The number of entries that pulls would give, up to a limit; 0 if they would be refused because the tag or schema is
   * hidden.
   */
  private async pending(
    request: SyncRequest,
    scope: Scope,
    { replica, gone }: { replica: Replica | null; gone: AbortSignal },
  ): Promise<Pending> {
    try {
      await request.locate(scope);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return NO_PENDING;
      throw error;
    }
    if (replica === null) return counted(await this.nodes.count(request.access, filterOf(scope)));
    const view = await this.viewOf(request, scope, partsOf(replica));
    let count = 0;
    for (let from = replica; ;) {
      const pulled = await this.pulls.pull(view, from, MOST_COUNTED - count, gone);
      count += pulled.entries.length;
      if (!pulled.hasMore || gone.aborted) return counted(count);
      if (count >= MOST_COUNTED) return { pendingChanges: MOST_COUNTED, pendingMore: true };
      from = pulled.replica;
    }
  }

  /** @throws PERMISSION_DENIED if the app was authorized only after its request began */
  private async viewOf(
    { viewer, now }: SyncRequest,
    scope: Scope,
    include: readonly PartName[],
  ): Promise<View> {
    const access = await this.pastAccesses.at(viewer, now);
    if (access === null) throw notAuthorized();
    return { viewer, scope, now, access, include };
  }
}

const NO_PENDING: Pending = { pendingChanges: 0, pendingMore: false };

const counted = (count: number): Pending => ({
  pendingChanges: Math.min(count, MOST_COUNTED),
  pendingMore: count > MOST_COUNTED,
});

/**
 * The guard admits every authorized app: refusing one that may not read is sync's own answer (rule 7.11).
 * @throws FORBIDDEN
 */
export function refuseUnreadable({ permissions }: Access): void {
  if (!permissions.has('tags.read')) throw new DomainError('FORBIDDEN', 'This app may not read any nodes');
}

/** The node of an entry; null for one of a relationship or tag. */
const nodeOf = (entry: ChangeEntry): string | null =>
  'entity' in entry ? null : entry.action === 'delete' ? entry.nodeId : (entry.node['id'] as string);

const filterOf = (scope: Scope) =>
  scope.kind === 'tag' ? { tagIds: [scope.id] } : scope.kind === 'schema' ? { schemaIds: [scope.id] } : {};

const newest = (scopes: readonly ScopeStatus[]): Date | null =>
  scopes.reduce<Date | null>(
    (last, { lastSyncAt }) => (last === null || lastSyncAt > last ? lastSyncAt : last),
    null,
  );
