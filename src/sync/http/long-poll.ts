import { type ExecutionContext, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { ChangeWaits } from '../application/change-waits.service.js';
import { type Pulled } from '../application/pulls.service.js';
import { Sync } from '../application/sync.service.js';
import { type View } from '../application/view.js';
import { type Replica } from '../domain/replica.js';
import { type Asked, Askings } from './asking.js';

/** A request that asks again and again in the name of the one that came. */
export interface Subscription {
  context: ExecutionContext;
  response: Response;
  asked: Asked;
  view: View;
  replica: Replica;
}

/** Aborted when the client is not there any more. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  // It may have gone while it was decided whether it may ask.
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

/** A page; where there is nothing to say yet, the first that says something within the time. */
@Injectable()
export class LongPoll {
  constructor(
    private readonly sync: Sync,
    private readonly askings: Askings,
    private readonly waits: ChangeWaits,
  ) {}

  async pull(
    { context, response, ...given }: Subscription,
    { limit, wait }: { limit: number; wait: number },
  ): Promise<{ view: View; pulled: Pulled }> {
    let { asked, view } = given;
    const gone = goneSignal(response);
    let pulled = await this.sync.pull(view, given.replica, limit, gone);
    if (wait === 0) return { view, pulled };
    const until = performance.now() + wait * 1000;
    while (pulled.entries.length === 0 && !pulled.hasMore) {
      const ms = until - performance.now();
      if (ms <= 0) break;
      if ((await this.waits.wait(asked.ids, asked.stamps, { ms, gone })) !== 'moved') break;
      asked = await this.askings.again(context);
      view = await this.sync.view(asked, view.scope.text);
      pulled = await this.sync.pull(view, pulled.replica, limit, gone);
    }
    return { view, pulled };
  }
}
