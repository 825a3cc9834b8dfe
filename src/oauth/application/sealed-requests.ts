import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type AuthorizationRequest, type Parameters, type Wishes } from '../domain/authorization-request.js';

const LIFETIME_MS = 10 * 60_000;
/** Longer texts were not made here. */
const MOST_CHARACTERS = 32_768;

/**
 * A request that the consent page shows: of a browser, or of a device that waits for its person. The version is that of the
 * app's description when it asked.
 */
export type ConsentRequest = { version: string } & (
  | ({ kind: 'redirect' } & AuthorizationRequest)
  | ({ kind: 'device'; appId: string; deviceDigest: string } & Wishes)
);

/**
 * Checked requests between two requests of a browser, as sealed texts: nothing is stored until the person has decided, and
 * any process can continue them (rule 14.6). Each has ten minutes.
 */
@Injectable()
export class SealedRequests {
  constructor(
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
  ) {}

  seal(request: ConsentRequest): string {
    return this.sealed('consent', request);
  }

  /** The request, and when it expires. @throws CONSENT_EXPIRED for a text that is not of this service, or too old */
  open(text: string): { request: ConsentRequest; expiresAt: Date } {
    const { value, expiresAt } = this.opened('consent', text) ?? {};
    if (value === undefined || expiresAt === undefined || expiresAt <= this.clock.now())
      throw new DomainError(
        'CONSENT_EXPIRED',
        'This request has expired or is not complete; start again in the app that asked for it',
      );
    return { request: value as ConsentRequest, expiresAt };
  }

  /** Parameters that a client has pushed (RFC 9126), bound to it. */
  push(clientId: string, parameters: Parameters): { requestUri: string; expiresInSeconds: number } {
    const text = this.sealed('pushed', { clientId, parameters });
    return { requestUri: PUSHED + text, expiresInSeconds: LIFETIME_MS / 1000 };
  }

  /** The parameters behind a request_uri of that client; null for any other text. */
  pushed(clientId: string, requestUri: string): Parameters | null {
    if (!requestUri.startsWith(PUSHED)) return null;
    const found = this.opened('pushed', requestUri.slice(PUSHED.length));
    if (found === null || found.expiresAt <= this.clock.now()) return null;
    const value = found.value as { clientId: string; parameters: Parameters };
    return value.clientId === clientId ? value.parameters : null;
  }

  private sealed(purpose: string, value: object): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    return this.secret.seal(`oauth ${purpose}`, JSON.stringify({ until, value }));
  }

  private opened(purpose: string, text: string): { value: unknown; expiresAt: Date } | null {
    if (text.length > MOST_CHARACTERS || Buffer.from(text, 'base64url').toString('base64url') !== text)
      return null;
    try {
      const { until, value } = parseJson(this.secret.unseal(`oauth ${purpose}`, text)) as {
        until: number;
        value: unknown;
      };
      return { value, expiresAt: new Date(until) };
    } catch {
      return null;
    }
  }
}

const PUSHED = 'urn:ietf:params:oauth:request_uri:';
