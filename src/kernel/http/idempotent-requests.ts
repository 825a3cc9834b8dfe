import { Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { Clock } from '../clock.js';
import { canonicalSteps, canonicalText } from '../json/json-values.js';
import { DomainError } from '../errors/domain-error.js';
import { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import { UnitOfWork } from '../change-log/unit-of-work.js';
import { isUniqueViolation } from '../database/violations.js';
import { requestContext } from '../request-context.js';
import { EncryptionKey } from '../secrets/encryption-key.js';
import { Slices } from '../slices.js';
import { type Controller } from './route-table.js';
import { fromStored, PresentedLater, Replays, toStored } from './idempotency.js';
import { setEtag } from './preconditions.js';
import { VERSION_PREFIX } from './version-prefix.js';
import { wrapMethod } from './wrapped-methods.js';

interface StoredAnswer {
  request_hash: string;
  status: number;
  body: unknown;
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_KEY = 255;

/** Thrown when a request with the same key finished first: its answer is the answer. */
class Answered extends Error {
  constructor(readonly stored: StoredAnswer) {
    super('a request with this key has been answered meanwhile');
  }
}

/**
 * Idempotency-Key on a POST (rule 11.6): effect and answer are saved in one transaction, so that a key either has its
 * answer or is free. That transaction begins with the first unit of work, so a request that still waits for a schema
 * check or a DNS lookup holds no connection. A transaction-scoped advisory lock keeps two requests with one key apart,
 * across processes: the second gets 409, or the answer of the first.
 */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly secret: EncryptionKey,
    private readonly replays: Replays,
  ) {}

  /** Prepares a request with a key. Must run after the request's context has begun. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const key = request.headers['idempotency-key'];
    if (key !== undefined && request.method === 'POST') {
      requestContext.current().once = (work) => this.once(request, response, { key, work });
    }
    next();
  };

  private async once(
    request: Request,
    response: Response,
    { key, work }: { key: string | string[]; work: () => unknown },
  ): Promise<unknown> {
    const context = requestContext.current();
    const { actor } = context;
    if (actor.type === 'system') return work();
    context.storesAnswer = true;
    if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY) {
      throw DomainError.validation('Idempotency-Key', `must have 1 to ${MAX_KEY} characters`);
    }
    const owner = actor.userId ?? actor.appId ?? '';
    const caller = `${actor.appId ?? ''}:${actor.userId ?? ''}`;
    const hash = this.secret.digest('idempotency', await canonicalRequest(request));
    const find = () => this.find(owner, caller, key);
    const replayed = (stored: StoredAnswer) =>
      replay(stored, hash, { request, response, replays: this.replays });
    const known = await find();
    if (known) return replayed(known);
    const onBegin = async () => {
      // A digest with a secret: otherwise a caller could compute a key with the number of somebody else's lock.
      await this.lock(this.secret.digest('idempotency lock', `${caller}:${key}`));
      const stored = await find();
      if (stored) throw new Answered(stored);
    };
    const beforeCommit = (body: unknown) =>
      this.save([owner, caller, key, hash, response.statusCode, toStored(body)]);
    try {
      const answer = await this.units.runRequest(async () => work(), { onBegin, beforeCommit });
      return answer instanceof PresentedLater ? await answer.present() : answer;
    } catch (error) {
      if (error instanceof Answered) return replayed(error.stored);
      throw error;
    }
  }

  private async lock(name: string): Promise<void> {
    const [row] = await this.database.write<{ locked: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`,
      'idempotency-lock',
    );
    if (!row?.locked) throw stillRunning();
  }

  private async find(owner: string, caller: string, key: string): Promise<StoredAnswer | undefined> {
    const [row] = await this.database.read<StoredAnswer>(
      sql`SELECT request_hash, status, body FROM idempotency_keys
        WHERE owner_id = ${owner} AND caller = ${caller} AND key = ${key} AND expires_at > ${this.clock.now()}`,
      'idempotency-find',
    );
    return row;
  }

  private async save([owner, caller, key, hash, status, body]: [
    string,
    string,
    string,
    string,
    number,
    string,
  ]): Promise<void> {
    const now = this.clock.now();
    const expires = new Date(now.getTime() + LIFETIME_MS);
    try {
      await this.database.write(
        sql`INSERT INTO idempotency_keys (owner_id, caller, key, request_hash, status, body, created_at, expires_at)
          VALUES (${owner}, ${caller}, ${key}, ${hash}, ${status}, ${body}, ${now}, ${expires})
          ON CONFLICT (owner_id, caller, key) DO UPDATE SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status,
            body = EXCLUDED.body, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
          WHERE idempotency_keys.expires_at <= ${now}`,
        'idempotency-save',
      );
    } catch (error) {
      if (isUniqueViolation(error)) throw stillRunning();
      throw error;
    }
  }

  /** Removes answers past their 24 hours; called by the housekeeping timer. */
  async sweep(): Promise<void> {
    await this.units.run(() =>
      this.database.write(sql`DELETE FROM idempotency_keys WHERE expires_at <= ${this.clock.now()}`),
    );
  }
}

/** The paths of accounts and of OAuth, whose answers hold secrets. */
const HOLDS_SECRETS = [`/${VERSION_PREFIX}/auth/`, '/oauth/', `/${VERSION_PREFIX}/oauth/`];

/** A message of MCP is no operation of its own: what it asks for is a request that comes after it. */
const MCP = '/mcp';

/** A ticket works once and for a minute: a stored one would be of no use, and a secret at rest. */
const TICKETS = `/${VERSION_PREFIX}/sync/ticket`;

/**
 * True for a POST that writes, except those of accounts and OAuth, the one for a ticket, and messages of MCP (rule 11.6d).
 * A repeated read has no effect to prevent: it is read again, by today's permission. What a refused proof of identity
 * leaves behind is committed before its error, and must not be rolled back with the transaction of a key.
 * @param path from the root, with the version prefix
 */
export const takesIdempotencyKey = (method: string, path: string, onlyReads: boolean): boolean =>
  method.toUpperCase() === 'POST' &&
  !onlyReads &&
  !HOLDS_SECRETS.some((before) => path.startsWith(before)) &&
  path !== TICKETS &&
  path !== MCP;

/** Makes a controller's method answer a repeated key without its work. */
export function makeIdempotent(controller: Controller, name: string): void {
  wrapMethod(controller, { name, layer: IDEMPOTENT }, (method) => {
    return function (...args) {
      const context = requestContext.current();
      const { once } = context;
      if (once === undefined) return method.apply(this, args);
      // A method that calls another one is one request.
      context.once = undefined;
      return once(() => method.apply(this, args));
    };
  });
}

const IDEMPOTENT = Symbol('idempotent');

async function replay(
  stored: StoredAnswer,
  hash: string,
  { request, response, replays }: { request: Request; response: Response; replays: Replays },
): Promise<unknown> {
  if (stored.request_hash !== hash) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request');
  }
  const { body, etag } = await fromStored(stored.body, request, replays);
  requestContext.current().reads = true;
  response.status(stored.status);
  if (etag !== undefined) setEtag(response, etag);
  response.setHeader('Idempotent-Replayed', 'true');
  return body ?? undefined;
}

/** Method, path and canonical JSON: the same members in another order are the same request. */
async function canonicalRequest({ method, path, query, body }: Request): Promise<string> {
  // The bounds of a body bound the work.
  const text = await new Slices(Infinity).run(canonicalSteps(body));
  return `${method} ${path}?${canonicalText(query)}\n${text}`;
}

const stillRunning = (): DomainError =>
  new DomainError('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is still running');
