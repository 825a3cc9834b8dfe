import { Injectable } from '@nestjs/common';
import { callScopes } from '../change-log/call-scope.js';
import { requestContext } from '../request-context.js';
import { type DomainError } from '../errors/domain-error.js';

/**
 * The sources of presented objects. While a request with an Idempotency-Key runs, the stored answer keeps the source
 * instead of the presented object, so that a replay is presented again, cut by today's profile (rule 11.6c).
 */
const sources = new WeakMap<object, { kind: string; source: object }>();

export function rememberSource<T extends object>(presented: T, source: object, kind = 'node'): T {
  // A source may be far larger than what is shown of it, and lives as long: it is held only for an answer that is stored.
  if (isStored()) sources.set(presented, { kind, source });
  return presented;
}

/** True if the answer to the present request is stored, to be repeated. */
const isStored = (): boolean => requestContext.current().storesAnswer === true;

/** An answer that is stored by its source, and presented after the commit. */
export class PresentedLater {
  constructor(
    readonly source: object,
    readonly kind: string,
    readonly present: () => Promise<object>,
  ) {}
}

/**
 * Presents what a request has written: at once, or, while the transaction of an Idempotency-Key is open, after its
 * commit. Presenting can be long work, for which others would wait if it held a connection (rule 11.9j).
 * @param source replaces the answer where it is stored (see {@link rememberSource})
 */
export async function presentedLater<T extends object>(
  source: object,
  kind: string,
  present: () => Promise<T>,
): Promise<T> {
  const isHeld = (callScopes.getStore()?.unit ?? null) !== null;
  // The request resolves it before anybody else reads it.
  return isHeld ? (new PresentedLater(source, kind, present) as unknown as T) : present();
}

/** The replacement for a stored source in a replayed answer. */
export interface ShownAgain {
  body: object;
  /** The entity tag of an answer that is this object alone. */
  etag?: string | number | undefined;
}

/** Presents sources of one kind again, for today's caller and by today's facts. */
export interface Replay<S> {
  /** One result for each source, in the same order; null for a source that the caller may no longer see. */
  present(request: unknown, sources: readonly S[]): Promise<(ShownAgain | null)[]>;
  /** The error that replaces a whole answer: the one for reading an absent resource of this kind. */
  absent(): DomainError;
}

/** The replays by kind. Each service of a process has its own. */
@Injectable()
export class Replays {
  private readonly kinds = new Map<string, Replay<never>>();

  /** A context registers each of its kinds once, when it starts. */
  register<S>(kind: string, replay: Replay<S>): void {
    this.kinds.set(kind, replay);
  }

  of(kind: string): Replay<never> {
    const replay = this.kinds.get(kind);
    if (replay === undefined) throw new Error(`nobody presents a ${kind} again`);
    return replay;
  }
}

/** Secrets are shown once, never stored, never repeated (rule 11.6c). */
const SECRETS = new Set([
  'api_key',
  'user_key',
  'secret',
  'otpauth_url',
  'recovery_codes',
  'public_key',
  'access_token',
  'refresh_token',
]);
/** No body can have such a key (binding.ts refuses it at every depth), so no caller can forge a mark. */
const MARK = 'prototype';

/** The answer as it is stored. Secrets are only at its top level; further down the same names are users' data. */
export function toStored(body: unknown): string {
  return JSON.stringify(body ?? null, function (this: unknown, key: string, value: unknown) {
    if (this === body && SECRETS.has(key)) return undefined;
    const remembered =
      value instanceof PresentedLater ? value : isCompound(value) ? sources.get(value) : undefined;
    return remembered ? { [MARK]: remembered.kind, source: remembered.source } : value;
  });
}

interface Marked {
  [MARK]: string;
  source: never;
}

const isMarked = (value: object): value is Marked => typeof (value as Partial<Marked>)[MARK] === 'string';
const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * A stored answer without the parts that the caller may no longer see.
 * @throws the `absent` error of its kind when nothing is left
 */
export async function fromStored(
  stored: unknown,
  request: unknown,
  replays: Replays,
): Promise<{ body: unknown } & ShownEtag> {
  const shown = new Map<Marked, ShownAgain | null>();
  const all = markedIn(stored);
  for (const kind of new Set(all.map((marked) => marked[MARK]))) {
    const marked = all.filter((one) => one[MARK] === kind);
    const again = await replays.of(kind).present(
      request,
      marked.map(({ source }) => source),
    );
    marked.forEach((one, index) => shown.set(one, again[index] ?? null));
  }
  if (!isCompound(stored) || !isMarked(stored)) return { body: withShown(stored, shown) };
  const whole = shown.get(stored) ?? null;
  if (whole === null) throw replays.of(stored[MARK]).absent();
  return whole;
}

type ShownEtag = Pick<ShownAgain, 'etag'>;

function markedIn(value: unknown): Marked[] {
  if (!isCompound(value)) return [];
  return isMarked(value) ? [value] : Object.values(value).flatMap(markedIn);
}

/** Replaces parts that the caller may no longer see. */
const GONE = Symbol('gone');

function withShown(value: unknown, shown: ReadonlyMap<Marked, ShownAgain | null>): unknown {
  if (!isCompound(value)) return value;
  if (isMarked(value)) return shown.get(value)?.body ?? GONE;
  if (Array.isArray(value))
    return value.map((item) => withShown(item, shown)).filter((item) => item !== GONE);
  const members = Object.entries(value).map(([key, member]) => [key, withShown(member, shown)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== GONE));
}
