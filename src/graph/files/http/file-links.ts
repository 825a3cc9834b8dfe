import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { timingSafeEqual } from 'node:crypto';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Config } from '../../../config/config.js';
import { type Caller, CallerReferences } from '../../../identity/index.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { EncryptionKey } from '../../../kernel/secrets/encryption-key.js';
import { type Access, Accesses } from '../../../privacy/index.js';

const LIFETIME_MS = 5 * 60 * 1000;

/** The query parameters of a link. */
export interface LinkText {
  caller?: string;
  expires?: string;
  signature?: string;
}

/**
 * Links to files that need no other credential (rule 6.4). A link names the caller who requested it and
 * grants nothing by itself: its user receives what that caller would receive at that moment.
 */
@Injectable()
export class FileLinks {
  constructor(
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
    private readonly callers: CallerReferences,
    private readonly accesses: Accesses,
    private readonly config: Config,
    private readonly adapters: HttpAdapterHost,
  ) {}

  /**
   * @param authorizationId of an app: a link ends with it for good, even if the app is authorized again
   * later
   */
  make(
    fileId: string,
    by: Caller,
    { authorizationId }: Pick<Access, 'authorizationId'>,
  ): { download_url: string; expires_at: string } {
    const caller = this.callers.nameOf(boundTo(by, authorizationId));
    const end = Math.floor((this.clock.now().getTime() + LIFETIME_MS) / 1000);
    const expires = String(end);
    const signature = this.sign(fileId, caller, expires);
    const query = new URLSearchParams({ caller, expires, signature }).toString();
    const download_url = `${this.origin()}/api/v1/raw-files/${fileId}/content?${query}`;
    return { download_url, expires_at: new Date(end * 1000).toISOString() };
  }

  /**
   * The caller who requested a link.
   * @throws UNAUTHORIZED for a forged or expired link, or one whose caller no longer exists
   */
  async callerOf(fileId: string, { caller = '', expires = '', signature = '' }: LinkText): Promise<Caller> {
    const isOurs = isEqual(signature, this.sign(fileId.toLowerCase(), caller, expires));
    if (!isOurs || Number(expires) * 1000 <= this.clock.now().getTime()) throw invalid();
    const found = await this.callers.find(caller);
    if (found === null || (found.kind === 'app' && found.boundAuthorizationId === null)) throw invalid();
    return found;
  }

  /**
   * The current access of a caller who was found again.
   * @throws PERMISSION_DENIED as for any request
   */
  async accessOf(found: Caller): Promise<Access> {
    if (found.kind === 'user') return this.accesses.ofUser(found.userId, found.stamps);
    return this.accesses.ofApp(found, found.userId as string);
  }

  private sign(fileId: string, caller: string, expires: string): string {
    return this.secret.digest('file-link', JSON.stringify([fileId, caller, expires]));
  }

  /** Only the server knows its address when the system chose the port. */
  private origin(): string {
    const { port, publicUrl, host } = this.config;
    if (port !== 0 || !publicUrl.endsWith(':0')) return publicUrl;
    const server = this.adapters.httpAdapter.getHttpServer() as Server;
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  }
}

/** The caller, bound to the authorization by which they act now: another one of the same pair does not admit them. */
export const boundTo = (caller: Caller, authorizationId?: string): Caller =>
  caller.kind === 'app' && authorizationId !== undefined
    ? { ...caller, boundAuthorizationId: authorizationId }
    : caller;

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const invalid = (): DomainError => new DomainError('UNAUTHORIZED', 'The link is invalid or has expired');
