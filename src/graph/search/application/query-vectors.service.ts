import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Access } from '../../../privacy/index.js';
import { type UnitVector } from '../domain/embedding.js';
import { comparesVectors } from '../infrastructure/embedding-filter.js';
import { EmbeddingsClient } from '../infrastructure/embeddings-client.js';
import { EmbeddingConsent } from './embedding-consent.service.js';
import { EmbeddingMetrics } from './embedding-metrics.js';

/** The ways in which a query was searched by vectors (rule 4.19i). */
export const QUERY_VECTORS = ['off', 'given', 'computed', 'unavailable'] as const;
export type QueryVectorState = (typeof QUERY_VECTORS)[number];

interface QueryVector {
  state: Extract<QueryVectorState, 'off' | 'computed' | 'unavailable'>;
  unit: UnitVector | null;
  model: string | null;
}

/** Queries that are sent at a time; further ones are searched by words alone. */
const MOST_UNDER_WAY = 8;
/** The time for which queries are searched by words alone after the service has failed: nobody waits for it meanwhile. */
const REST_MS = 10_000;
/** Vectors of queries that are remembered, for the next pages of a search. */
const MOST_REMEMBERED = 500;

const OFF: QueryVector = { state: 'off', unit: null, model: null };
const UNAVAILABLE: QueryVector = { ...OFF, state: 'unavailable' };

/**
 * Vectors of queries. A query is sent only where the owner of the graph has switched vectors of the service on, and for a
 * caller who is shown texts that can be compared.
 */
@Injectable()
export class QueryVectors {
  /** The time in which an answer for a query counts; replaced by tests. */
  timeoutMs = 2_000;
  private readonly known = new LRUCache<string, UnitVector>({ max: MOST_REMEMBERED });
  private readonly asked = new Map<string, Promise<UnitVector | null>>();
  private restsUntil = 0;

  constructor(
    private readonly client: EmbeddingsClient,
    private readonly consent: EmbeddingConsent,
    private readonly metrics: EmbeddingMetrics,
  ) {}

  /** @param model the only model whose embeddings the caller wants; undefined: any */
  async of(access: Access, text: string, model: string | undefined): Promise<QueryVector> {
    const { settings } = this.client;
    if (settings === null || !comparesVectors(access)) return OFF;
    if (model !== undefined && model !== settings.model) return OFF;
    if (!(await this.consent.isGiven(access.ownerId))) return OFF;
    const unit = this.known.get(text) ?? (await this.askOnce(text));
    return unit === null ? UNAVAILABLE : { state: 'computed', unit, model: settings.model };
  }

  private askOnce(text: string): Promise<UnitVector | null> {
    const asked = this.asked.get(text);
    if (asked) return asked;
    const isResting = performance.now() < this.restsUntil || this.client.pause !== null;
    if (isResting || this.asked.size >= MOST_UNDER_WAY) return Promise.resolve(null);
    const asking = this.ask(text).finally(() => this.asked.delete(text));
    this.asked.set(text, asking);
    return asking;
  }

  private async ask(text: string): Promise<UnitVector | null> {
    this.metrics.sent('query', 1);
    const outcome = await this.client.embed(() => Promise.resolve([text]), this);
    const unit = outcome.kind === 'vectors' ? (outcome.units[0] ?? null) : null;
    if (unit !== null) this.known.set(text, unit);
    else if (outcome.kind === 'failed') this.restsUntil = performance.now() + REST_MS;
    if (outcome.kind === 'failed') this.metrics.failed(outcome.reason);
    if (outcome.kind === 'refused') this.metrics.failed(`status ${outcome.status}`);
    return unit;
  }

  /** Calls the service again at once. Only for tests. */
  wakeUp(): void {
    this.restsUntil = 0;
  }
}
