import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Viewer } from '../../privacy/index.js';

/** How many streams and waiting pulls there are: each asks again at every change, so that many cost much. */
@Injectable()
export class OpenStreams {
  private readonly each = new Map<string, number>();
  private all = 0;

  constructor(private readonly config: Config) {}

  /**
   * One more, until its answer is over.
   * @throws TOO_MANY_STREAMS
   */
  open({ ownerId, appId }: Viewer, response: Response): void {
    const { callerStreams, processStreams } = this.config;
    const viewer = `${ownerId} ${appId}`;
    const own = this.each.get(viewer) ?? 0;
    if (own >= callerStreams) throw tooMany('caller', callerStreams);
    if (this.all >= processStreams) throw tooMany('process', processStreams);
    if (response.destroyed) return;
    this.each.set(viewer, own + 1);
    this.all++;
    response.once('close', () => this.close(viewer));
  }

  private close(viewer: string): void {
    const left = (this.each.get(viewer) ?? 1) - 1;
    if (left === 0) this.each.delete(viewer);
    else this.each.set(viewer, left);
    this.all--;
  }
}

const tooMany = (limit: 'caller' | 'process', max: number): DomainError =>
  new DomainError('TOO_MANY_STREAMS', 'Too many streams and waiting pulls are open; close some', {
    limit,
    max,
  });
