import { CallLocal } from './call-local.js';
import { type RecordedChange } from './changes/change-followers.js';
import { type Counted } from './changes/quota-statements.js';

/** Who acts, as history names it (decisions 7.1). An agent is named by the change itself, else by the actor. */
export interface Actor {
  type: 'user' | 'app' | 'system';
  userId: string | null;
  appId: string | null;
  /** What the app was called when it was let in. */
  appName?: string;
  proposalId?: string | null;
  agentId?: string | null;
}

export interface RequestContext {
  requestId: string;
  actor: Actor;
  /** From the header X-Change-Reason; a body's change_reason goes before it. */
  changeReason: string | null;
  /** Called with the changes of each unit of work, by owner, before it is written and committed; throws to refuse it. */
  beforeWrite?: (changes: ReadonlyMap<string, readonly RecordedChange[]>) => Promise<void>;
  /** Called with an owner's counters after each commit of the request that raised them. */
  onCounted?: (counted: Counted) => void;
}

export const SYSTEM_ACTOR: Actor = { type: 'system', userId: null, appId: null };

const storage = new CallLocal<RequestContext>();

/** What belongs to the request being served, without handing it through every call. */
export const requestContext = {
  run<T>(context: RequestContext, work: () => T): T {
    return storage.run(context, work);
  },
  /** Outside a request (command line, timers) the system acts. */
  current(): RequestContext {
    return storage.getStore() ?? { requestId: '', actor: SYSTEM_ACTOR, changeReason: null };
  },
};
