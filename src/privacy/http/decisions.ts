import { type Request } from 'express';
import { findCaller, setCaller } from '../../identity/index.js';
import { type Decisions } from '../../kernel/http/admission.js';
import { type Decision } from '../../kernel/request-rights.js';
import { type Access, haveEqualRights } from '../domain/access.js';
import { findAccess, setAccess } from './current-access.js';

/** The access that the guards found; public endpoints and the app's own have none. */
class FoundAccess implements Decision {
  constructor(private readonly access: Access | undefined) {}

  equals(other: FoundAccess): boolean {
    if (this.access === undefined || other.access === undefined) return this.access === other.access;
    return haveEqualRights(this.access, other.access);
  }
}

/** The decisions of the access guard; the caller is put back with them. */
export const decisions: Decisions = {
  of: (request) => new FoundAccess(findAccess(request)),
  keep(request: Request): () => void {
    const [caller, access] = [findCaller(request), findAccess(request)];
    return () => {
      if (caller !== undefined) setCaller(request, caller);
      if (access !== undefined) setAccess(request, access);
    };
  },
};
