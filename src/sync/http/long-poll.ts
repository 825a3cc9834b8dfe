import { type ExecutionContext, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { ChangeWaits } from '../../kernel/waiting/change-waits.service.js';
import { type Pulled } from '../application/pulls.service.js';
import { Sync } from '../application/sync.service.js';
import { type View } from '../application/view.js';
import { type Replica } from '../domain/replica.js';
import { type AdmittedSyncRequest, SyncRequests } from './sync-request.js';

/** A request that is repeated in the name of the original one. */
export interface RepeatableRequest {
  context: ExecutionContext;
  response: Response;
  request: AdmittedSyncRequest;
  view: View;
  replica: Replica;
  /** Aborted when the place of the stream or waiting pull is given to somebody else; absent if there is no place. */
  ended?: AbortSignal | undefined;
}

/** Answers with a page; if it has no entry yet, with the first one that has within the time. */
@Injectable()
export class LongPoll {
  constructor(
    private readonly sync: Sync,
    private readonly requests: SyncRequests,
    private readonly waits: ChangeWaits,
  ) {}

  async pull(
    { context, response, ended, ...given }: RepeatableRequest,
    { limit, wait }: { limit: number; wait: number },
  ): Promise<{ view: View; pulled: Pulled }> {
    let { request, view } = given;
    const gone = goneSignal(response);
    const over = ended === undefined ? gone : AbortSignal.any([gone, ended]);
    let pulled = await this.sync.pull(view, given.replica, limit, gone);
    if (wait === 0) return { view, pulled };
    const until = performance.now() + wait * 1000;
    while (pulled.entries.length === 0 && !pulled.hasMore) {
      const ms = until - performance.now();
      if (ms <= 0) break;
      if ((await this.waits.wait(request.ids, request.stamps, { ms, gone: over })) !== 'moved') break;
      request = await this.requests.readmit(context);
      view = await this.sync.view(request, view.scope.text, view.include);
      pulled = await this.sync.pull(view, pulled.replica, limit, gone);
    }
    return { view, pulled };
  }
}
