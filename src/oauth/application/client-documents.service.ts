import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../config/config.js';
import { type App, networkOf, UnownedApps } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { FairPlaces } from '../../kernel/fair-places.js';
import { descriptionIn } from '../domain/client-document.js';
import { DocumentsClient } from '../infrastructure/documents-client.js';
import { UnusedClients } from './unused-clients.service.js';

/** Addresses that are remembered, of documents and of failures each: strangers choose how many and how long. */
const REMEMBERED = {
  max: 10_000,
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: (_: number, address: string) => 2 * address.length + 100,
};
/** A failure is short: its developer may be trying, and the person waits. */
const FAILURE_MS = 30_000;
/** Documents that are read at a time, and those of one site: a slow site must not hold up others. */
const MOST_AT_ONCE = 16;
const MOST_OF_A_SITE = 4;
/** Requests that wait for a document. */
const MOST_WAITING = 256;
const PATIENCE = {
  ms: 5_000,
  refusal: () => new DomainError('TOO_MUCH_UNDER_WAY', 'Too many documents are being read'),
};

/** Clients whose client_id is the address of a document that describes them (rule 14.3c). */
@Injectable()
export class ClientDocuments {
  /** The times until which a document counts as read, or as not readable. Descriptions are stored, not held here. */
  private readonly fresh = new LRUCache<string, number>(REMEMBERED);
  private readonly failed = new LRUCache<string, number>(REMEMBERED);
  private readonly reading = new Map<string, Promise<App | null>>();
  private readonly places = new FairPlaces(MOST_AT_ONCE, MOST_OF_A_SITE, PATIENCE);

  constructor(
    private readonly apps: UnownedApps,
    private readonly client: DocumentsClient,
    private readonly unused: UnusedClients,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** True for a client_id that names a document, whether there is one or not. */
  isAddress(clientId: string): boolean {
    return this.client.isAddress(clientId);
  }

  /** The client as its document describes it now; null where there is no valid document, and where they are off. */
  async read(url: string): Promise<App | null> {
    if (this.config.oauth.registration === 'off' || !this.isAddress(url)) return null;
    const now = this.clock.now().getTime();
    if ((this.failed.get(url) ?? 0) > now) return null;
    // The app may have been swept meanwhile.
    const known = (this.fresh.get(url) ?? 0) > now ? await this.known(url) : null;
    return known ?? this.once(url);
  }

  /** The client as its document described it when it was last read; null where it never was. */
  known(url: string): Promise<App | null> {
    return this.apps.findByDocument(url);
  }

  /** Requests for one document share its reading. */
  private once(url: string): Promise<App | null> {
    const begun = this.reading.get(url);
    if (begun !== undefined) return begun;
    if (this.reading.size >= MOST_WAITING) return this.overloaded(url);
    const reading = this.places
      .run(siteOf(url), () => this.fetched(url))
      .catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'TOO_MUCH_UNDER_WAY') return this.overloaded(url);
        throw error;
      })
      .finally(() => this.reading.delete(url));
    this.reading.set(url, reading);
    return reading;
  }

  /** The client as it was last described, where too many documents are being read. @throws TOO_MUCH_UNDER_WAY */
  private async overloaded(url: string): Promise<App> {
    const known = await this.known(url);
    if (known === null) throw PATIENCE.refusal();
    return known;
  }

  private async fetched(url: string): Promise<App | null> {
    const document = await this.client.fetch(url);
    const description = document && descriptionIn(url, document.text);
    const now = this.clock.now().getTime();
    if (document === null || description === null) {
      this.fresh.delete(url);
      this.failed.set(url, now + FAILURE_MS);
      return null;
    }
    const { app, isNew } = await this.apps.describe(url, description);
    this.fresh.set(url, now + document.lifetimeMs);
    if (isNew) await this.unused.added();
    return app;
  }
}

/** The site of an address, roughly: names below one name share their places, and so do the addresses of one network. */
function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.startsWith('[')
    ? networkOf(hostname.slice(1, -1))
    : hostname.split('.').slice(-2).join('.');
}
