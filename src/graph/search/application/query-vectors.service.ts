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

/** Queries that are sent at a time, in all and of one caller; further ones are searched by words alone. */
const MOST_UNDER_WAY = 8;
const MOST_OF_ONE = 2;
/** The time for which a caller's queries are searched by words alone after one has failed: they do not wait again. */
const REST_MS = 10_000;
/** Vectors of queries that are remembered, for the next pages of a search; and callers whose queries rest. */
const MOST_REMEMBERED = 500;

const OFF: QueryVector = { state: 'off', unit: null, model: null };
const UNAVAILABLE: QueryVector = { ...OFF, state: 'unavailable' };

/** A query, and who asks it of whose graph: what others have asked must not show. */
interface Asked {
  ownerId: string;
  caller: string;
  text: string;
}

/**
 * Vectors of queries. A query is sent only where the owner of the graph has switched vectors of the service on, and for a
 * caller who is shown texts that can be compared.
 */
@Injectable()
export class QueryVectors {
  /** The time in which an answer for a query counts; replaced by tests. */
  timeoutMs = 2_000;
  private readonly known = new LRUCache<string, UnitVector>({ max: MOST_REMEMBERED });
  private readonly resting = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: REST_MS });
  private readonly underWay = new Map<string, { caller: string; asking: Promise<UnitVector | null> }>();

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
    const { ownerId, actor } = access;
    if (!(await this.consent.isGiven(ownerId))) return OFF;
    const unit = await this.askOnce({
      ownerId,
      caller: [ownerId, actor.userId, actor.appId].join(' '),
      text,
    });
    return unit === null ? UNAVAILABLE : { state: 'computed', unit, model: settings.model };
  }

  private async askOnce(asked: Asked): Promise<UnitVector | null> {
    const { caller, text } = asked;
    const name = `${caller} ${text}`;
    const known = this.known.get(name) ?? this.underWay.get(name)?.asking;
    if (known !== undefined) return known;
    const own = [...this.underWay.values()].filter((other) => other.caller === caller);
    const isBusy = this.underWay.size >= MOST_UNDER_WAY || own.length >= MOST_OF_ONE;
    if (isBusy || this.resting.has(caller) || this.client.pause !== null) return null;
    const asking = this.ask(name, asked).finally(() => this.underWay.delete(name));
    this.underWay.set(name, { caller, asking });
    return asking;
  }

  private async ask(name: string, { ownerId, caller, text }: Asked): Promise<UnitVector | null> {
    // The owner may switch off while the connection is made.
    const compose = async (): Promise<string[] | null> => {
      if (!(await this.consent.isGiven(ownerId))) return null;
      this.metrics.sent('query', 1);
      return [text];
    };
    const outcome = await this.client.embed(compose, this);
    if (outcome.kind === 'failed') {
      this.resting.set(caller, true);
      this.metrics.failed(outcome.reason);
    }
    if (outcome.kind === 'refused') this.metrics.failed(`status ${outcome.status}`);
    const unit = outcome.kind === 'vectors' ? (outcome.units[0] ?? null) : null;
    if (unit !== null) this.known.set(name, unit);
    return unit;
  }

  /** Calls the service again at once. Only for tests. */
  wakeUp(): void {
    this.resting.clear();
  }
}
