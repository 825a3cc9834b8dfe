import { type Chance } from '../properties/random.js';
import { kindOf, type Things } from '../support/plausible.js';

/** Kinds of dealings that other tests have no things of, by the names of their parameters. */
const DEALINGS = ['share', 'follow', 'invitation', 'connection', 'delivery'];
const KINDS = [
  'node',
  'tag',
  'relationship',
  'session',
  'profile',
  'authorization',
  'app',
  'key',
  'user',
].concat(['file', 'group', 'proposal', 'schema', 'share', 'follow', 'invitation', 'connection', 'delivery']);
const KIND_OF_LIST: Record<string, string> = {
  exposure_profiles: 'profile',
  'raw-files': 'file',
  sharing: 'share',
  'blocked-users': 'user',
};

export const kindIn = (name: string): string | undefined =>
  /^(share|follow|invitation|connection|delivery)_ids?$/.exec(name)?.[1] ??
  (/schema/.test(name)
    ? 'schema'
    : kindOf(name)
        ?.toString()
        .replace(/^(to|parent) /, ''));

const kindOfList = (name: string): string | undefined =>
  KIND_OF_LIST[name] ?? KINDS.find((kind) => name === `${kind}s` || name === `${kind.slice(0, -1)}ies`);

/** Ids that requests name: from answers, hidden in one of the worlds or in both, and unknown. */
export class Pool {
  private readonly known = new Map<string, string[]>();
  private readonly hidden = new Map<string, string[]>();
  private link = '';
  private isHonest = false;

  constructor(private readonly chance: Chance) {}

  knows(kind: string, ...ids: string[]): void {
    add(this.known, kind, ids);
  }

  hides(kind: string, ...ids: string[]): void {
    add(this.hidden, kind, ids);
  }

  /** Stores the ids of an answer. */
  feed(path: string, body: unknown): void {
    const segment = path
      .split('?')[0]
      ?.split('/')
      .findLast((part) => kindOfList(part) !== undefined);
    this.walk(body, segment === undefined ? undefined : kindOfList(segment), 0);
  }

  /** Half of all requests name only known ids, so that they succeed. */
  turn(): void {
    this.isHonest = this.chance.once(2);
  }

  /** Forgets ids that an answer reports as absent. */
  misses(path: string): void {
    const ids = path.split('?')[0]?.match(IDS) ?? [];
    if (ids.length !== 1) return;
    for (const [kind, list] of this.known)
      if (list.includes(ids[0])) {
        this.known.set(
          kind,
          list.filter((id) => id !== ids[0]),
        );
        this.hides(kind, ids[0]);
      }
  }

  pick(kind: string): string {
    const from = this.isHonest ? 5 : this.chance.below(10);
    const list = (from < 3 ? this.hidden : this.known).get(kind) ?? [];
    if (from === 9 || list.length === 0) return this.absent();
    return this.chance.pick(list);
  }

  /** The youngest signed link to a file's content; empty without any. */
  get signedLink(): string {
    return this.link;
  }

  /** Something of each kind. */
  things(): Things {
    const things: Record<string, string> = {
      version: String(1 + this.chance.below(4)),
      timestamp: '2999-01-01T00:00:00Z',
      current_password: 'wrong password',
      refresh_token: 'none',
      email: 'nobody@example.org',
      schema_uri: 'system:Goal',
    };
    for (const kind of KINDS) things[kind] = this.pick(kind);
    for (const kind of DEALINGS) things[`${kind}_id`] = this.pick(kind);
    things['to node'] = this.pick('node');
    things['parent tag'] = this.pick('tag');
    return things as Things;
  }

  private absent(): string {
    const digits = (count: number): string =>
      this.chance
        .below(16 ** count)
        .toString(16)
        .padStart(count, '0');
    return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(4)}${digits(8)}`;
  }

  private walk(value: unknown, kind: string | undefined, depth: number): void {
    if (depth > 6 || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.walk(item, kind, depth + 1);
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      const named = key === 'id' ? kind : kindIn(key);
      if (key === 'download_url' && typeof inner === 'string') this.link = inner.replace(/^.*?\/api\/v1/, '');
      else if (typeof inner === 'string' && named !== undefined && UUID.test(inner)) this.knows(named, inner);
      else this.walk(inner, kindOfList(key) ?? kind, depth + 1);
    }
  }
}

const UUID = /^[0-9a-f-]{36}$/;
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

function add(to: Map<string, string[]>, kind: string, ids: string[]): void {
  const list = to.get(kind) ?? [];
  for (const id of ids) if (!list.includes(id)) list.push(id);
  // The youngest are the most interesting.
  to.set(kind, list.slice(-40));
}
