import { type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { schemaAbsent, tagNotFound } from '../../graph/index.js';
import { callerOf } from '../../identity/index.js';
import { Admission } from '../../kernel/http/admission.js';
import { Locators } from '../../kernel/http/locators.js';
import { accessOf, setAccess, SYSTEM_SCHEMA_IDS } from '../../privacy/index.js';
import { type SyncRequest } from '../application/sync.service.js';
import { type CountersById } from '../../kernel/waiting/change-waits.service.js';
import { type Scope } from '../domain/scope.js';

export interface AdmittedSyncRequest extends SyncRequest {
  /** The ids of the counters behind the decision: the owner's and the app's. */
  ids: string[];
  stamps: CountersById;
  /** False where a person reads as the app, whose position stays (rule 2.11). */
  movesPosition: boolean;
}

/** Turns a request into a sync request: its caller, and the positions of the logs when the guards looked. */
@Injectable()
export class SyncRequests {
  constructor(
    private readonly admission: Admission,
    private readonly locators: Locators,
  ) {}

  of(context: ExecutionContext): AdmittedSyncRequest {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = callerOf(request);
    const access = accessOf(request);
    const appId = caller.kind === 'app' ? caller.app.id : null;
    const token = caller.kind === 'app' ? caller.token : undefined;
    const position = (id: string | null): number => (id === null ? 0 : (caller.stamps.get(id)?.changes ?? 0));
    return {
      viewer: { ownerId: access.ownerId, appId, ...(token && { scopes: token.scopes }) },
      now: { changes: position(access.ownerId), app: position(appId) },
      access,
      locate: (scope) => this.locate(request, scope),
      ids: appId === null ? [access.ownerId] : [access.ownerId, appId],
      stamps: caller.stamps,
      movesPosition: caller.kind === 'user' || caller.readBy === undefined,
    };
  }

  /**
   * The same request, admitted again as of now: nothing outlives a revocation, a deleted key or an expired token.
   * @throws errors of the guards
   */
  async readmit(context: ExecutionContext): Promise<AdmittedSyncRequest> {
    await this.admission.again(context);
    return this.of(context);
  }

  private async locate(request: Request, scope: Scope): Promise<void> {
    if (scope.kind === 'all') return;
    if (scope.kind === 'tag') await this.locateOwnTag(request, scope.id);
    else if (this.locators.knows(scope.kind, 'read'))
      await this.locators.locate({ kind: scope.kind, verb: 'read' }, request, scope.id);
    else if (!Object.values(SYSTEM_SCHEMA_IDS).includes(scope.id as never)) {
      throw schemaAbsent();
    }
  }

  /** Refuses a foreign tag, which the same locator finds: sync covers only the own graph (rule 7.11). */
  private async locateOwnTag(request: Request, id: string): Promise<void> {
    const access = accessOf(request);
    if (!access.exposure.shows('tags')) throw tagNotFound();
    try {
      await this.locators.locate({ kind: 'tag', verb: 'read' }, request, id);
      if (accessOf(request) !== access) throw tagNotFound();
    } finally {
      setAccess(request, access);
    }
  }
}
