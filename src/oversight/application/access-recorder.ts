import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ChangeFollower, ChangeFollowers } from '../../kernel/change-log/change-followers.js';
import { type Change, type RecordedChange } from '../../kernel/change-log/change.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Actor, requestContext, type RequestContext } from '../../kernel/request-context.js';
import {
  type Access,
  type AccessListener,
  AccessReports,
  type Exchange,
  type Shown,
} from '../../privacy/index.js';
import { type AccessAction, type Accessed, actionOf, actionOfRoute, wayOf } from '../domain/access-entry.js';
import { AccessLog } from './access-log.service.js';

/** Entities of the graph; rules, shares and memberships are changed by owners only. */
const LOGGED: ReadonlySet<string> = new Set([
  'node',
  'embedding',
  'relationship',
  'tag',
  'schema',
  'proposal',
]);
/** Entities whose id is a node's. */
const OF_NODES: ReadonlySet<string> = new Set(['node', 'embedding']);
const WEBHOOK = { endpoint: 'webhook', status: 200, via: 'webhook', tool: null, sessionId: null } as const;

/** Nodes of one owner that one request touched. */
interface Touched {
  shown: Set<string>;
  changed: Map<AccessAction, Set<string>>;
}

/** A request under way. */
interface Trace {
  /** The context of the request, which a tool completes after the guard. */
  context: RequestContext;
  /** The caller, by whom it is logged. */
  actor: Actor;
  /** The actor to whom things are shown: the caller, or the app as which they read. */
  shownTo: Actor;
  /** The owner whose graph the request is for. */
  ownerId: string;
  exchange: Exchange;
  owners: Map<string, Touched>;
  /** True when nothing more is shown; changes may still follow. */
  isEnded: boolean;
}

/**
 * Follows each request from the guard to the end of its answer, and logs it then: once for every owner of whom
 * something was shown or changed (rule 12.2). Owners in person are not in their own log.
 */
@Injectable()
export class AccessRecorder implements OnModuleInit, AccessListener, ChangeFollower {
  private readonly traces = new WeakMap<RequestContext, Trace>();

  constructor(
    private readonly log: AccessLog,
    private readonly accessReports: AccessReports,
    private readonly followers: ChangeFollowers,
    private readonly units: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.accessReports.listen(this);
    this.followers.register(this);
  }

  /** Guards may run again for a request; it stays one request. */
  admitted({ actor, ownerId }: Access, exchange: Exchange): void {
    const context = requestContext.current();
    if (this.traces.has(context)) return;
    const { response, readBy = actor } = exchange;
    const trace: Trace = {
      context,
      actor: readBy,
      shownTo: actor,
      ownerId,
      exchange,
      owners: new Map(),
      isEnded: response.destroyed,
    };
    this.traces.set(context, trace);
    response.once('close', () => this.end(trace));
  }

  /** Nodes presented to an app outside of a request are sent to it by webhook. */
  shown({ actor }: Access, { owner_id, id }: Shown): void {
    const trace = this.traces.get(requestContext.current());
    const isOthers = actor.userId !== owner_id;
    if (trace === undefined) {
      if (actor.type === 'app' && !isOthers)
        this.log.add(accessed(actor, owner_id, { ...WEBHOOK, action: 'read' }), only(id));
      return;
    }
    if (trace.isEnded || !isSame(trace.shownTo, actor) || isOwn(trace.actor, owner_id)) return;
    // The log of a sharer must not tell what a recipient asks for.
    if (isOthers && (id === null || !trace.exchange.names(id))) return;
    // A stream may last for hours, so each page is logged at once.
    if (trace.exchange.response.headersSent)
      this.note(trace, owner_id, { action: 'read', ids: only(id), isPart: true });
    else {
      const { shown } = touched(trace, owner_id);
      if (id !== null) shown.add(id);
    }
  }

  /** Adds nothing to the unit: it waits for the commit. */
  follow(recorded: readonly RecordedChange[]): null {
    const trace = this.traces.get(requestContext.current());
    if (trace === undefined) return null;
    this.units.afterCommit(() => {
      for (const { change } of recorded)
        if (LOGGED.has(change.entity) && !isOwn(trace.actor, change.ownerId)) this.changed(trace, change);
      // The client has disconnected; its changes are logged all the same.
      if (trace.isEnded) this.end(trace);
    });
    return null;
  }

  private changed(trace: Trace, { ownerId, entity, entityId, action: what }: Change): void {
    const action = entity === 'embedding' ? 'update' : actionOf(what);
    const { changed } = touched(trace, ownerId);
    const ids = changed.get(action) ?? new Set<string>();
    if (OF_NODES.has(entity)) ids.add(entityId);
    changed.set(action, ids);
  }

  /** A refusal has shown nothing; committed changes count whatever the answer was, and even if it did not arrive. */
  private end(trace: Trace): void {
    const wasEnded = trace.isEnded;
    trace.isEnded = true;
    const { context, actor, ownerId, exchange, owners } = trace;
    if (context.isOuter) return;
    trace.owners = new Map();
    const status = statusOf(trace);
    const isAnswered = exchange.response.headersSent && status < 400 && !wasEnded;
    // Every answer to an app is logged, also of its tags, of searches without a hit, and of its own settings.
    if (isAnswered && actor.type === 'app' && !owners.has(ownerId)) {
      const action = actionOfRoute(exchange.endpoint, { reads: exchange.reads, status });
      this.note(trace, ownerId, { action, ids: new Set() });
    }
    for (const [owner, { shown, changed }] of owners) {
      for (const [action, ids] of changed) {
        this.note(trace, owner, { action, ids });
        // The answer shows the caller's own write.
        for (const id of ids) shown.delete(id);
      }
      if (isAnswered && (shown.size > 0 || changed.size === 0))
        this.note(trace, owner, { action: 'read', ids: shown });
    }
  }

  private note(
    trace: Trace,
    ownerId: string,
    { action, ids, isPart = false }: { action: AccessAction; ids: ReadonlySet<string>; isPart?: boolean },
  ): void {
    const { actor, context, exchange } = trace;
    const { endpoint, sessionId } = exchange;
    const how = { action, endpoint, status: statusOf(trace), sessionId, ...wayOf(context) };
    this.log.add(accessed(actor, ownerId, how), ids, { isPart });
  }
}

const statusOf = ({ exchange }: Trace): number => exchange.response.statusCode;

/** The log stores of another person neither whether an app acted for them nor how: that is their affair. */
function accessed(
  { type, userId, appId, appName }: Actor,
  ownerId: string,
  how: Omit<Accessed, 'ownerId' | 'byType' | 'appId' | 'appName' | 'readerId'>,
): Accessed {
  if (userId === ownerId) {
    const byType = type === 'app' ? 'app' : 'user';
    return { ownerId, byType, appId, appName: appName ?? null, readerId: null, ...how };
  }
  const person = { byType: 'user', appId: null, appName: null, readerId: userId } as const;
  return { ownerId, ...person, ...how, sessionId: null, via: 'rest', tool: null };
}

function touched({ owners }: Trace, ownerId: string): Touched {
  let found = owners.get(ownerId);
  if (found === undefined) owners.set(ownerId, (found = { shown: new Set(), changed: new Map() }));
  return found;
}

const only = (id: string | null): ReadonlySet<string> => new Set(id === null ? [] : [id]);
const isSame = (a: Actor, b: Actor): boolean => a.userId === b.userId && a.appId === b.appId;
const isOwn = ({ type, userId }: Actor, ownerId: string): boolean => type === 'user' && userId === ownerId;
