import { Injectable } from '@nestjs/common';
import { isUtf8 } from 'node:buffer';
import { type LookupAddress } from 'node:dns';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { Config } from '../../config/config.js';
import { guardedLookup } from '../../kernel/outgoing/guarded-lookup.js';
import { type Allowance } from '../../kernel/outgoing/public-addresses.js';
import { ReceiverNames } from '../../kernel/outgoing/receiver-names.js';
import { isDocumentAddress, lifetimeOf } from '../domain/client-document.js';

const MOST_BYTES = 5 * 1024;
const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

/** A document as its site sent it. */
export interface FetchedDocument {
  text: string;
  /** The time for which it may be used, in milliseconds. */
  lifetimeMs: number;
}

/**
 * Reads documents of clients from addresses that anybody may name. They are checked as those of webhooks are: every
 * address of a name, by the very look-up that connects (rule 9.6). It follows no redirects and uses no proxy of the
 * environment, and no failure says more than another: otherwise strangers could ask it what there is in our network.
 */
@Injectable()
export class DocumentsClient {
  private readonly allowance: Allowance;
  private readonly names = new ReceiverNames();
  /** The time for the whole answer; replaced by tests, like the look-up of names. */
  timeoutMs = 5_000;
  resolve: (name: string) => Promise<LookupAddress[]> = (name) => this.names.addressesOf(name);

  constructor({ webhookAllowPrivate }: Config) {
    this.allowance = { loopback: webhookAllowPrivate };
  }

  /** True for a client_id that names a document. */
  isAddress(text: string): boolean {
    return isDocumentAddress(text, this.allowance);
  }

  /** The document; null if it cannot be had. */
  fetch(address: string): Promise<FetchedDocument | null> {
    if (!this.isAddress(address)) return Promise.resolve(null);
    const url = new URL(address);
    const lookup = guardedLookup((name) => this.resolve(name), this.allowance);
    const open = url.protocol === 'https:' ? overHttps : overHttp;
    const signal = AbortSignal.timeout(this.timeoutMs);
    const headers = { Accept: 'application/json', 'User-Agent': 'personal-identity-graph' };
    return new Promise((resolve) => {
      const nothing = (): void => resolve(null);
      let hasAnswer = false;
      const request = open(url, { agent: false, lookup, headers, signal });
      request
        .on('response', (response) => {
          hasAnswer = true;
          void read(response)
            .then(resolve, nothing)
            .finally(() => request.destroy());
        })
        .on('upgrade', (_response, socket) => socket.destroy())
        .on('error', nothing)
        .on('close', () => {
          if (!hasAnswer) nothing();
        })
        .end();
    });
  }
}

async function read(response: IncomingMessage): Promise<FetchedDocument | null> {
  const { statusCode, headers } = response;
  const isDocument =
    statusCode === 200 &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    !(Number(headers['content-length']) > MOST_BYTES);
  if (!isDocument) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!response.complete || !isUtf8(body)) return null;
  const { 'cache-control': cacheControl, age, expires, date } = headers;
  return { text: body.toString('utf8'), lifetimeMs: lifetimeOf({ cacheControl, age, expires, date }) };
}
