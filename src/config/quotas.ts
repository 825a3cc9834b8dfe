/** The things of an owner that are counted and limited (rule 9.8). */
export const QUOTAS = [
  'nodes',
  'relationships',
  'tags',
  'all_tags',
  'schemas',
  'apps',
  'groups',
  'exposure_profiles',
  'graph_bytes',
  'file_bytes',
] as const;
export type Quota = (typeof QUOTAS)[number];

/** The limits of one tier; null: without limit. */
export type QuotaLimits = Readonly<Record<Quota, number | null>>;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export const FREE_QUOTAS: QuotaLimits = {
  nodes: 250_000,
  relationships: 1_000_000,
  tags: 10_000,
  all_tags: 20_000,
  schemas: 1_000,
  apps: 100,
  groups: 100,
  exposure_profiles: 100,
  graph_bytes: 5 * GIB,
  file_bytes: 10 * GIB,
};

export const PRO_QUOTAS: QuotaLimits = {
  nodes: 2_500_000,
  relationships: 10_000_000,
  tags: 50_000,
  all_tags: 75_000,
  schemas: 5_000,
  apps: 1_000,
  groups: 1_000,
  exposure_profiles: 500,
  graph_bytes: 50 * GIB,
  file_bytes: 200 * GIB,
};

export const NO_QUOTAS = Object.fromEntries(QUOTAS.map((quota) => [quota, null])) as QuotaLimits;

const UNITS: Readonly<Record<string, number>> = { '': 1, KIB: 1024, MIB, GIB, TIB: 1024 ** 4 };
const LIMIT = /^(\d{1,15}) ?(KiB|MiB|GiB|TiB)?$/i;

/** Undefined for an invalid text; null for `none`. */
function limitOf(text: string): number | null | undefined {
  if (text === 'none') return null;
  const [, digits, unit = ''] = LIMIT.exec(text) ?? [];
  const limit = Number(digits) * (UNITS[unit.toUpperCase()] as number);
  return Number.isSafeInteger(limit) ? limit : undefined;
}

/**
 * Limits written as `nodes=5000`, `file_bytes=10GiB` or `tags=none`; others stay as they are.
 * @returns null if one of them cannot be parsed
 */
export function quotasFrom(items: readonly string[], base: QuotaLimits): QuotaLimits | null {
  const limits: Record<Quota, number | null> = { ...base };
  for (const item of items) {
    const [name = '', text = '', ...rest] = item.split('=').map((part) => part.trim());
    const limit = limitOf(text);
    if (!isQuota(name) || limit === undefined || rest.length > 0) return null;
    limits[name] = limit;
  }
  return limits;
}

const isQuota = (name: string): name is Quota => (QUOTAS as readonly string[]).includes(name);
