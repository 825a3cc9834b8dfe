/**
 * Which object a presented one was made from. While a request with an Idempotency-Key runs, the stored answer keeps
 * the source instead of what was shown, so that a replay is presented anew, cut by today's profile (decisions 11).
 */
const sources = new WeakMap<object, { kind: string; source: object }>();

export function rememberSource<T extends object>(presented: T, source: object, kind = 'node'): T {
  sources.set(presented, { kind, source });
  return presented;
}

/** Presents a remembered source again for today's caller; null when he may not see it any more. */
export type PresentAgain = (request: unknown, source: never) => object | null;

const presenters = new Map<string, PresentAgain>();

/** A context registers how its kind is presented again; once, when it starts. */
export function presentAgainWith(kind: string, present: PresentAgain): void {
  presenters.set(kind, present);
}

/** Shown once, never stored, never repeated (decisions 11). */
const SECRETS = new Set(['api_key', 'user_key', 'secret', 'access_token', 'refresh_token']);
const MARK = '$presented';

/** The answer as it is stored. Secrets stand at its top; further down the same names are somebody's data. */
export function toStored(body: unknown): string {
  return JSON.stringify(body ?? null, function (this: unknown, key: string, value: unknown) {
    if (this === body && SECRETS.has(key)) return undefined;
    const remembered = typeof value === 'object' && value !== null ? sources.get(value) : undefined;
    return remembered ? { [MARK]: remembered.kind, source: remembered.source } : value;
  });
}

/** A stored answer as today's caller may see it. A whole answer that he may not see any more is null. */
export function fromStored(stored: unknown, request: unknown): unknown {
  if (Array.isArray(stored))
    return stored.map((item) => fromStored(item, request)).filter((item) => item !== GONE);
  if (typeof stored !== 'object' || stored === null) return stored;
  const record = stored as Record<string, unknown>;
  if (typeof record[MARK] === 'string')
    return presenters.get(record[MARK])?.(request, record.source as never) ?? GONE;
  return Object.fromEntries(
    Object.entries(record)
      .map(([key, value]) => [key, fromStored(value, request)] as const)
      .filter(([, value]) => value !== GONE),
  );
}

/** Stands for what the caller may not see any more. */
export const GONE = Symbol('gone');
