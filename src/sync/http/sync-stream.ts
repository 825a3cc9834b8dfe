import { Injectable, Logger } from '@nestjs/common';
import { type Response } from 'express';
import { once } from 'node:events';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { BytesUnderWay } from '../../kernel/http/bodies/bytes-under-way.js';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { JsonChunks } from '../../kernel/http/answers/json-chunks.js';
import { requestContext } from '../../kernel/request-context.js';
import { haveOtherRules } from '../../privacy/index.js';
import { ChangeWaits } from '../../kernel/waiting/change-waits.service.js';
import { Sync } from '../application/sync.service.js';
import { type View } from '../application/view.js';
import { type AdmittedSyncRequest, SyncRequests } from './sync-request.js';
import { type RepeatableRequest } from './long-poll.js';
import { presentPage } from './sync.presenter.js';

/** Sent because proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;

interface StreamOptions {
  limit: number;
  ids_only: boolean;
  include_tags: boolean;
  include?: string;
}

/** A client that takes events until it is gone or its place is given away. */
interface Receiving {
  response: Response;
  gone: AbortSignal;
}

/**
 * Sends pages as server-sent events while the client is connected. The guards run again before each event, as for a new
 * request: a refusal ends the stream. A waiting stream holds no connection to the database.
 */
@Injectable()
export class SyncStream {
  private readonly logger = new Logger('sync');

  constructor(
    private readonly sync: Sync,
    private readonly requests: SyncRequests,
    private readonly waits: ChangeWaits,
    private readonly underWay: BytesUnderWay,
  ) {}

  async run(request: RepeatableRequest, options: StreamOptions): Promise<void> {
    const { response } = request;
    begin(response);
    try {
      await this.follow(request, options);
    } catch (error) {
      // The headers are sent: a client without access learns the reason when it connects again.
      if (!(error instanceof DomainError)) this.logger.error({ err: error }, 'a stream broke off');
    } finally {
      response.end();
    }
  }

  private async follow(
    { context, response, ended, ...given }: RepeatableRequest,
    options: StreamOptions,
  ): Promise<void> {
    const gone = AbortSignal.any([goneSignal(response), ...(ended ? [ended] : [])]);
    let { request, view, replica } = given;
    // Set by what is sent alone: the time of a heartbeat must not tell when something hidden changed (rule 7.12).
    let beatAt = performance.now() + HEARTBEAT_MS;
    while (!gone.aborted) {
      const pulled = await this.sync.pull(view, replica, options.limit, gone);
      replica = pulled.replica;
      if (pulled.entries.length > 0) {
        const cursor = this.sync.cursor(view, replica);
        // The pull may have waited for a place, and walked far.
        await requestContext.current().rights?.confirm();
        await this.send({ response, gone }, cursor, new JsonChunks(presentPage(pulled, cursor, options)));
        beatAt = performance.now() + HEARTBEAT_MS;
      }
      if (!pulled.hasMore) {
        const ms = Math.max(0, beatAt - performance.now());
        const outcome = await this.waits.wait(request.ids, request.stamps, { ms, gone });
        if (outcome === 'closed') return;
        if (outcome === 'over') {
          await send({ response, gone }, ': heartbeat\n\n');
          do beatAt += HEARTBEAT_MS;
          while (beatAt <= performance.now());
        }
      }
      const next = await this.again({ request, view }, context);
      if (next === null) return;
      ({ request, view } = next);
    }
  }

  /**
   * Bytes that a slow client has not taken yet are counted like any answer.
   * @throws TOO_MUCH_UNDER_WAY
   */
  private async send(to: Receiving, cursor: string, page: JsonChunks): Promise<void> {
    const parts = [Buffer.from(`id: ${cursor}\nevent: changes\ndata: `)];
    for await (const part of page.remaining()) parts.push(Buffer.from(part));
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    const release = this.underWay.hold('sent', to.response, bytes);
    try {
      for (const part of [...parts, '\n\n']) {
        // Clients discard an event whose end is missing, and ask for it when they connect again.
        if (to.gone.aborted) return;
        await send(to, part);
      }
    } finally {
      release();
    }
  }

  /** Null if the caller's access has changed since the stream began. */
  private async again(
    { view }: { request: AdmittedSyncRequest; view: View },
    context: RepeatableRequest['context'],
  ): Promise<{ request: AdmittedSyncRequest; view: View } | null> {
    const request = await this.requests.readmit(context);
    const next = await this.sync.view(request, view.scope.text, view.include);
    return haveOtherRules(view.access, next.access) ? null : { request, view: next };
  }
}

function begin(response: Response): void {
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
}

/**
 * Waits until the client has taken the text, or the stream is to end: a slow client is sent no more than it reads.
 */
async function send({ response, gone }: Receiving, text: string | Buffer): Promise<void> {
  if (response.write(text) || response.destroyed || gone.aborted) return;
  const over = new AbortController();
  const until = (event: string) => once(response, event, { signal: over.signal });
  const left = once(gone, 'abort', { signal: over.signal });
  await Promise.race([until('drain'), until('close'), left]).finally(() => over.abort());
}
