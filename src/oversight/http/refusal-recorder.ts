import { Injectable } from '@nestjs/common';
import { findCaller } from '../../identity/index.js';
import { endpointName } from '../../kernel/http/endpoint-name.js';
import { ServedRequests } from '../../kernel/observability/served-requests.js';
import { AccessLog } from '../application/access-log.service.js';

const REFUSED: ReadonlySet<number> = new Set([403, 404]);

/**
 * Counts what an app was refused when it asked for a person, also an app that the person has never let in: whoever tries
 * ids or doors shows in that person's log. What is closed to every app is no attempt on a person. Ids of nobody are dropped
 * when the log is written.
 */
@Injectable()
export class RefusalRecorder {
  constructor(log: AccessLog, served: ServedRequests) {
    served.listen((request, { status }) => {
      const caller = REFUSED.has(status) ? findCaller(request) : undefined;
      if (caller?.kind !== 'app' || caller.userId === null) return;
      const { app, userId } = caller;
      log.add({
        ownerId: userId,
        byType: 'app',
        appId: app.id,
        appName: app.name,
        readerId: null,
        action: 'refused',
        endpoint: endpointName(request),
        status,
      });
    });
  }
}
