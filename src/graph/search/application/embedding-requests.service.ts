import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { EmbeddingsClient, type Outcome } from '../infrastructure/embeddings-client.js';
import {
  type SendableText,
  type Sending,
  ServiceVectors,
} from '../infrastructure/service-vectors.repository.js';
import { type UnitVector } from '../domain/embedding.js';
import { EmbeddingMetrics } from './embedding-metrics.js';

/** The length of a single text that is refused at its full length and sent once more. */
const SHORTER = 1_500;
/** A text of nobody's, to see if the service answers. */
const PROBE = 'A sentence to see that this service answers.';

/** done: every text has its vector, is refused for good or may not be sent any longer. full: the owner's quota is used up. */
export type Sent = 'done' | 'failed' | 'full';

/** Nodes whose texts are sent in one request. */
export interface Batch {
  ids: readonly string[];
  /** Called before each request. */
  renew: () => Promise<void>;
  /** The characters of each text that are sent; absent: all of them. */
  length?: number;
}

/** Sends texts of nodes and saves their vectors. */
@Injectable()
export class EmbeddingRequests {
  private readonly logger = new Logger('embeddings');
  /** The time in which an answer for nodes counts; replaced by tests. */
  timeoutMs = 30_000;

  constructor(
    private readonly client: EmbeddingsClient,
    private readonly vectors: ServiceVectors,
    private readonly metrics: EmbeddingMetrics,
    private readonly clock: Clock,
  ) {}

  /** Refused texts are sent in ever smaller parts, so that one of them does not cost the others their vectors. */
  async embed(sending: Sending, batch: Batch): Promise<Sent> {
    await batch.renew();
    let texts: SendableText[] = [];
    const compose = async (): Promise<string[]> => {
      texts = await this.vectors.texts(sending, batch.ids);
      return texts.map(({ text }) => text.slice(0, batch.length).toWellFormed());
    };
    const outcome = await this.client.embed(compose, this);
    if (outcome.kind === 'unsent') return 'done';
    this.metrics.sent('node', texts.length);
    if (outcome.kind === 'vectors') return this.save(sending, texts, outcome.units);
    this.report(outcome);
    return outcome.kind === 'failed' ? 'failed' : this.embedParts(sending, texts, batch);
  }

  async isAnswering(): Promise<boolean> {
    const { kind } = await this.client.embed(() => Promise.resolve([PROBE]), this);
    if (kind === 'vectors') this.passOver();
    return kind === 'vectors';
  }

  private async embedParts(sending: Sending, texts: readonly SendableText[], batch: Batch): Promise<Sent> {
    const ids = texts.map(({ id }) => id);
    if (ids.length <= 1) {
      const isLonger = batch.length === undefined && texts.some(({ text }) => text.length > SHORTER);
      if (isLonger) return this.embed(sending, { ...batch, ids, length: SHORTER });
      this.passOver();
      return 'done';
    }
    const half = Math.ceil(ids.length / 2);
    for (const part of [ids.slice(0, half), ids.slice(half)]) {
      const sent = await this.embed(sending, { ...batch, ids: part });
      if (sent !== 'done') return sent;
    }
    return 'done';
  }

  private async save(
    sending: Sending,
    texts: readonly SendableText[],
    units: readonly UnitVector[],
  ): Promise<Sent> {
    const computed = texts.map(({ id, hash }, place) => ({ id, hash, unit: units[place] as UnitVector }));
    try {
      this.metrics.savedVectors(await this.vectors.save(sending, computed, this.clock.now()));
      return 'done';
    } catch (error) {
      if (error instanceof DomainError && error.code === 'QUOTA_EXCEEDED') return 'full';
      throw error;
    }
  }

  private passOver(): void {
    this.metrics.passedOverText();
    this.logger.warn('the service for vectors refuses a text; its node has no vector');
  }

  private report(outcome: Exclude<Outcome, { kind: 'vectors' | 'unsent' }>): void {
    const reason = outcome.kind === 'refused' ? `status ${outcome.status}` : outcome.reason;
    this.metrics.failed(reason);
    this.logger.warn(
      { reason },
      'the service for vectors has not answered with vectors; texts are sent again later',
    );
  }
}
