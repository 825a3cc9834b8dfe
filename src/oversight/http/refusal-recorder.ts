import { Injectable } from '@nestjs/common';
import { findCaller, sessionOf } from '../../identity/index.js';
import { endpointName } from '../../kernel/http/endpoint-name.js';
import { ServedRequests } from '../../kernel/observability/served-requests.js';
import { AccessLog } from '../application/access-log.service.js';
import { wayOf } from '../domain/access-entry.js';

const REFUSED: ReadonlySet<number> = new Set([403, 404]);

/**
 * Counts refusals of an app that named a person, even one that they never authorized, so that attempts on ids and
 * endpoints appear in that person's log. A refusal that no app could avoid is not an attempt on a person. Entries of
 * unknown ids are dropped when the log is written (rule 12.2a).
 */
@Injectable()
export class RefusalRecorder {
  constructor(log: AccessLog, served: ServedRequests) {
    served.listen((request, { status, context }) => {
      const caller = REFUSED.has(status) ? findCaller(request) : undefined;
      if (caller?.kind !== 'app' || caller.userId === null || caller.readBy !== undefined) return;
      const { app, userId } = caller;
      log.add({
        ownerId: userId,
        byType: 'app',
        appId: app.id,
        appName: app.name,
        readerId: null,
        sessionId: sessionOf(caller),
        ...wayOf(context),
        action: 'refused',
        endpoint: endpointName(request),
        status,
      });
    });
  }
}
