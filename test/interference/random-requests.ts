import { type Chance } from '../properties/random.js';
import { type Operation, type Parameter } from '../support/operations.js';
import { bodyOf, pathOf, type Things } from '../support/plausible.js';
import { type Pool, kindIn } from './pool.js';
import { type Request } from './twins.js';
import { upload } from './uploads.js';
import { WORDS } from './words.js';

/** Operations on credentials and counters of this process, whose answers always differ; a stream has no end. */
const NEVER =
  /\/auth\/(login|refresh|logout|password|register|reauthenticate|sessions|totp|recovery-codes|passkeys)|\/metrics$|\/health\/|\/openapi|\/stream$/;

/** Operations that end the caller's access for good; the last of a story. */
const ENDING = /DELETE \S+\/(auth\/me|authorizations\/current|apps\/\{app_id\}|keys\/\{key_id\})$/;

/** A tag that a caller may know and not assign. */
export const NAMED = 'named';
export const askable = (operations: Operation[]): Operation[] =>
  operations.filter(({ name }) => !NEVER.test(name));

/** Random requests with things of the pool in them. */
export class RandomRequests {
  private number = 0;

  constructor(
    private readonly chance: Chance,
    private readonly pool: Pool,
    private readonly tagNames: string[],
    private readonly caller: 'key' | 'user',
  ) {}

  /** One of these operations, rarely one that is not open to this caller. */
  next(operations: Operation[], isLast = false): Request & { name: string } {
    const { chance } = this;
    const fitting = operations.filter(({ name }) => ENDING.test(name) === isLast);
    const asked = fitting.length === 0 ? operations : fitting;
    const mine = asked.filter(({ callers }) => callers !== (this.caller === 'key' ? 'user' : 'key'));
    const among = mine.length === 0 || chance.once(20) ? asked : mine;
    const reads = among.filter(({ method }) => method === 'GET');
    const operation = chance.pick(reads.length > 0 && chance.once(2) ? reads : among);
    return this.about(operation);
  }

  private about(operation: Operation): Request & { name: string } {
    const { chance } = this;
    this.pool.turn();
    const things = this.pool.things();
    const { name, method } = operation;
    const headers: Record<string, string> = {};
    if (method === 'POST' && chance.once(8)) headers['Idempotency-Key'] = `key ${chance.below(20)}`;
    if (/^(PUT|PATCH|DELETE)/.test(method) && chance.once(8))
      headers['If-Match'] = `"${1 + chance.below(4)}"`;
    if (/raw-files$|\/upload$/.test(operation.path) && method === 'POST')
      return this.uploaded(operation, headers);
    const link = this.pool.signedLink;
    if (/\/content$/.test(operation.path) && link !== '' && !chance.once(4))
      return { name, method, path: link, headers };
    return { name, method, path: this.path(operation, things), body: this.body(operation, things), headers };
  }

  private uploaded({ name, path }: Operation, headers: Record<string, string>): Request & { name: string } {
    const tag = path.endsWith('/raw-files') ? this.pool.pick('tag') : this.chance.pick(this.tagNames);
    const tags = this.chance.once(3) ? [] : [tag];
    const sent = upload(below(path), this.chance.pick(WORDS), tags);
    return { ...sent, name, headers: { ...headers, ...sent.headers } };
  }

  private path(operation: Operation, things: Things): string {
    const [bare, query] = below(pathOf(operation, things)).split('?') as [string, string?];
    // Apps are refused as_app, whatever they send; the permission table compares its answers (rule 2.11).
    const chosen = operation.parameters
      .filter(
        ({ in: where, name }) =>
          where === 'query' && !/^(wait|days|as_app)$/.test(name) && this.chance.once(4),
      )
      .map((parameter) => `${parameter.name}=${encodeURIComponent(this.value(parameter))}`);
    const given = [...(query ? [query] : []), ...chosen];
    const byName = new Map(
      given.flatMap((part) => part.split('&')).map((part) => [part.split('=')[0], part]),
    );
    // An agent is named by texts as well.
    const named = bare.replace(/agent_id$/, 'note-reader');
    return byName.size === 0 ? named : `${named}?${[...byName.values()].join('&')}`;
  }

  private value({ name, schema }: Parameter): string {
    const { chance, pool } = this;
    const kind = kindIn(name) ?? (name === 'ids' ? 'node' : undefined);
    if (kind !== undefined) return chance.once(3) ? `${pool.pick(kind)},${pool.pick(kind)}` : pool.pick(kind);
    if (schema.enum) return String(chance.pick(schema.enum));
    if (schema.type === 'boolean') return String(chance.once(2));
    if (schema.type === 'integer' || schema.type === 'number') return String(chance.below(6));
    if (/fields$/.test(name)) return chance.pick(['id', 'title', '-value', 'id,created_at']);
    if (name === 'properties')
      return JSON.stringify([{ path: chance.pick(['status', 'pin', 'colour']), eq: chance.pick(WORDS) }]);
    if (name === 'scope')
      return chance.pick(['all', `tag:${pool.pick('tag')}`, `schema:${pool.pick('schema')}`]);
    if (/date|time/.test(name)) return chance.pick(['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']);
    if (/tag/.test(name)) return chance.pick(this.tagNames);
    return chance.pick([...WORDS, 'note', 'GOAL', 'IDENTITY']);
  }

  /** The example, or its required fields and some of the rest. */
  private body(operation: Operation, things: Things): object | undefined {
    const whole = bodyOf(operation, things, ++this.number);
    if (whole === undefined) return undefined;
    const required = operation.fields
      .filter(({ at, isRequired }) => at.length === 1 && isRequired)
      .map(({ at }) => at[0]);
    const isWhole = this.chance.once(2);
    const kept = Object.entries(whole).filter(
      ([key]) => isWhole || required.includes(key) || this.chance.once(2),
    );
    return this.varied(Object.fromEntries(kept), '') as object;
  }

  private varied(value: unknown, key: string): unknown {
    if (key === 'tags' && Array.isArray(value) && this.chance.once(6))
      return [...(this.chance.once(2) ? [NAMED] : []), this.pool.pick('tag name')];
    if (key === 'name' && this.chance.once(6)) return this.pool.pick('tag name');
    if (Array.isArray(value)) return value.map((item) => this.varied(item, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.varied(item, name)]));
    const { chance } = this;
    if (typeof value !== 'string') return value;
    if (key === 'tags') return chance.once(12) ? `fresh ${chance.below(30)}` : chance.pick(this.tagNames);
    if (key === 'schema_id') return chance.once(3) ? this.pool.pick('schema') : null;
    if (key === 'node_type') return chance.pick(['note', 'note', 'GOAL', 'diary']);
    if (key === 'title' || key === 'value') return chance.pick([value, ...WORDS]);
    if (key === 'webhook_url') return 'http://127.0.0.1:9/none';
    if (key === 'parent_tag_id' && chance.once(2)) return null;
    const kind = kindIn(key);
    return kind !== undefined && kind !== 'schema' ? this.pool.pick(kind) : value;
  }
}

const below = (path: string): string => (path.startsWith('//api/v1') ? path.slice('//api/v1'.length) : path);
