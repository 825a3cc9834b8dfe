import { CallLocal } from './call-local.js';
import { type RequestRights } from './request-rights.js';

/** The author of changes in history (rule 7.1b). An agent is named by the change itself, else by the actor. */
export interface Actor {
  type: 'user' | 'app' | 'system';
  userId: string | null;
  appId: string | null;
  /** The name that the app had when it was authorized. */
  appName?: string;
  proposalId?: string | null;
  agentId?: string | null;
}

export interface RequestContext {
  requestId: string;
  actor: Actor;
  /** The header X-Change-Reason, or the service's own reason; a body's change_reason takes precedence. */
  changeReason: string | null;
  /** The person for whom the work counts, as a key; absent before they are known, and for the service's own work. */
  caller?: string;
  /** The user whose account a request without credentials acts on, such as a log-in; absent until it is known. */
  account?: string;
  /** True once the client has disconnected without its whole answer. Absent where others wait for the result, too. */
  isLeft?: () => boolean;
  /** Runs a read of the service's own work when there is a place for it; absent: it is run at once. */
  reading?: <T>(read: () => Promise<T>) => Promise<T>;
  /** True for a request of a person that ends access: it takes the places kept for it (rule 11.9d). */
  endsAccess?: boolean;
  /** True if the answer acknowledges no new write, so that it may be refused or ended for want of room (rule 11.9b). */
  reads?: boolean;
  /** True for a read whose operation declares that its answer holds no secret (ADR 78). */
  holdsNoSecret?: boolean;
  /** True for a read whose caller may hold its answer and have it confirmed (rule 11.14). */
  isConfirmable?: boolean;
  /** The header If-None-Match: entity tags of answers that the caller holds. */
  heldTags?: string | undefined;
  /** True for a HEAD request: its caller is shown no body. */
  isBodiless?: boolean;
  /** Sets a header of the answer, unless it is sent. Absent outside of requests. */
  setHeader?: (name: string, value: string) => void;
  /** The names of fields of the body that are ignored, as the answer has them (rule 11.4c). */
  ignoredFields?: string;
  /** Runs the work of a request with an Idempotency-Key, or answers as it was answered before (rule 11.6). */
  once?: (work: () => unknown) => Promise<unknown>;
  /** True if the answer is stored with an Idempotency-Key, to be repeated. */
  storesAnswer?: boolean;
  /** Absent outside of requests. */
  rights?: RequestRights;
  /** The way by which the request came; absent: REST. */
  via?: 'rest' | 'mcp';
  /** The name of the tool that sent the request, one of the service's own names; absent: no tool. */
  tool?: string;
  /** True for a request that others of this process are sent for: those are logged and counted in its place. */
  isOuter?: boolean;
}

export const SYSTEM_ACTOR: Actor = { type: 'system', userId: null, appId: null };

const noRequest = (): RequestContext => ({ requestId: '', actor: SYSTEM_ACTOR, changeReason: null });
const storage = new CallLocal<RequestContext>();

/** The data of the request being served, without passing it through every call. */
export const requestContext = {
  run<T>(context: RequestContext, work: () => T): T {
    return storage.run(context, work);
  },
  /**
   * Runs the service's own work, which a request may have woken: it takes nothing from that request's person.
   * @param caller the person for whom it works; absent: all such work counts together
   */
  outside<T>(work: () => T, caller?: string): T {
    return storage.run(caller === undefined ? noRequest() : { ...noRequest(), caller }, work);
  },
  /** The current request; outside of one (command line, timers) the actor is the system. */
  current(): RequestContext {
    return storage.getStore() ?? noRequest();
  },
  /**
   * The user for whom a request reads, the same for all of their apps. Null before that is known, and outside of
   * requests.
   */
  reader(): string | null {
    const { requestId, actor } = requestContext.current();
    return requestId === '' ? null : (actor.userId ?? actor.appId);
  },
};
