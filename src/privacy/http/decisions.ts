import { type Request } from 'express';
import { type Caller, findCaller, setCaller } from '../../identity/index.js';
import { type Decisions } from '../../kernel/http/admission.js';
import { type Decision } from '../../kernel/request-rights.js';
import { type Access, haveEqualRights } from '../domain/access.js';
import { findAccess, setAccess } from './current-access.js';

/** The caller and their access, as the guards found them; public endpoints have neither. */
class CallersDecision implements Decision {
  constructor(
    private readonly caller: Caller | undefined,
    private readonly access: Access | undefined,
  ) {}

  get counters(): Map<string, number> {
    const counters = new Map<string, number>();
    if (this.access !== undefined) counters.set(this.access.ownerId, this.access.policy);
    for (const [id, { policy }] of this.caller?.stamps ?? []) counters.set(id, policy);
    return counters;
  }

  equals(other: CallersDecision): boolean {
    if (this.access === undefined || other.access === undefined) return this.access === other.access;
    return haveEqualRights(this.access, other.access);
  }
}

/** The decisions of authentication and of the access guard, on the requests. */
export const decisions: Decisions = {
  of: (request) => new CallersDecision(findCaller(request), findAccess(request)),
  keep(request: Request): () => void {
    const [caller, access] = [findCaller(request), findAccess(request)];
    return () => {
      if (caller !== undefined) setCaller(request, caller);
      if (access !== undefined) setAccess(request, access);
    };
  },
};
