import { randomUUID } from 'node:crypto';
import { type Answer } from '../support/client.js';
import { mapLeaves, type Operation, type Path, valueAt, withValue } from '../support/operations.js';
import { bodyOf, kindOf, pathOf, type Things } from '../support/plausible.js';
import { type Caller, type Class } from './leak-classes.js';
import { type LeakWorld } from './leak-world.js';

const MARKER = /zq[a-z]+\d{4,}qz@?/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Operations that delete things; tried last. */
const ENDS = /^DELETE|bulk-delete/;
const ENDS_ALL = /^DELETE \S+\/current$/;

/** An id position: of the path, of the query, or of the body. */
type Place =
  { in: 'path'; name: string } | { in: 'query'; name: string } | { in: 'body'; name: string; at: Path };

/** Drives every operation as one caller and checks every answer. */
export class Sweep {
  readonly findings = new Set<string>();
  readonly seen = new Set<string>();
  /** Operations that succeeded. */
  readonly reached = new Set<string>();
  private isWatching = true;
  private sent = '';
  private readonly unseenIds: Set<string>;
  private number = 0;

  constructor(
    private readonly world: LeakWorld,
    private readonly caller: Caller,
    private readonly operations: Operation[],
    /** The offset of the optional field that is sent with the required ones; it differs between callers. */
    private readonly turn: number,
  ) {
    this.unseenIds = new Set(Object.values(caller.unseen).flat());
  }

  async run(): Promise<void> {
    let visible = await this.fresh();
    for (const operation of inOrder(this.operations)) {
      await this.compareIds(operation, visible);
      if (operation.method === 'GET') await this.readAll(operation, visible);
      else {
        for (const fields of this.caller.isOutside ? [null] : this.variantsOf(operation)) {
          const { status } = await this.send(operation, { things: this.things(visible), fields });
          if (status < 300 && changes(operation)) visible = await this.fresh();
        }
      }
    }
  }

  /** The whole example, the required fields, and those with one more field; with `FIELDS=all` with each of them. */
  private variantsOf(operation: Operation): (string[] | null)[] {
    const names = Object.keys(operation.example ?? {});
    if (names.length === 0) return [null];
    const chosen = process.env['FIELDS'] === 'all' ? names : [names[this.turn % names.length] as string];
    return [null, onlyWith(operation), ...chosen.map((name) => onlyWith(operation, name))];
  }

  /** Things that their owner creates meanwhile; the answers go to the owner. */
  private async fresh(): Promise<Record<string, string>> {
    this.isWatching = false;
    return this.caller.visible().finally(() => (this.isWatching = true));
  }

  /** Checks every answer to this caller, as the client's witness. */
  observe = (method: string, path: string, answer: Answer): void => {
    if (!this.isWatching) return;
    const text = `${answer.text}\n${JSON.stringify(answer.headers)}`;
    const where = `${this.caller.name}: ${method} ${path} ${answer.status}`;
    for (const marker of markersIn(text)) {
      const what = this.world.markers.get(marker);
      if (what === undefined) continue;
      this.seen.add(marker);
      if (!this.caller.sees.has(what)) this.findings.add(`${where} shows ${what} ${marker}`);
    }
    for (const [id] of text.matchAll(UUID)) {
      if (this.unseenIds.has(id) && !this.sent.includes(id)) this.findings.add(`${where} names ${id}`);
    }
    if (answer.status >= 500) this.findings.add(`${where} ${answer.text}`);
  };

  /** Hidden, foreign and absent ids in every position must have one answer. */
  private async compareIds(operation: Operation, visible: Record<string, string>): Promise<void> {
    for (const place of placesOf(operation)) {
      const kind = kindIn(place.name)?.replace(/^(to|parent) /, '') ?? '';
      const all = this.caller.unseen[kind] ?? [];
      const ids = this.caller.asksForAll ? all : [...all.slice(0, 1), ...all.slice(1).slice(-1)];
      // Anybody who may authorize an app may look it up by its id (rule 2.1).
      const isPublic = kind === 'app' && place.in !== 'path';
      if (ids.length === 0 || isPublic) continue;
      const ask = (id: string): Promise<string> => this.asked(operation, { place, id, visible });
      const absent = await ask(randomUUID());
      for (const id of ids) {
        const answer = await ask(id);
        if (answer === absent) continue;
        const where = `${this.caller.name}: ${operation.name} ${place.in} ${place.name}`;
        this.findings.add(
          `${where}: ${kind} ${id} differs from an absent one: ${difference(answer, absent)}`,
        );
      }
    }
  }

  private async asked(
    operation: Operation,
    { place, id, visible }: { place: Place; id: string; visible: Record<string, string> },
  ): Promise<string> {
    const things = this.things(visible);
    if (place.in === 'path') {
      const marked = { ...operation, path: operation.path.replace(`{${place.name}}`, id) };
      return comparable(await this.send(marked, { things, fields: null }), id);
    }
    if (place.in === 'query') return comparable(await this.query(operation, things, [place.name, id]), id);
    const body = this.body(operation, things, onlyWith(operation, place.at[0] as string));
    return comparable(await this.send(operation, { things, body: withValue(body, place.at, id) }), id);
  }

  /**
   * Tries every parameter once, and every value of an enumeration; texts of hidden things only must match like any
   * other.
   */
  private async readAll(operation: Operation, visible: Record<string, string>): Promise<void> {
    const things = this.things(visible);
    await this.send(operation, { things, fields: null });
    for (const { name, schema, in: where } of operation.parameters) {
      if (where !== 'query') continue;
      const own = things[kindOf(name) ?? ''];
      const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : own ? [own] : []);
      for (const value of values) await this.query(operation, things, [name, String(value)]);
      if (schema.type !== 'string' || schema.enum || NAMES_OF_FIELDS.has(name)) continue;
      const absent = comparable(
        await this.query(operation, things, [name, 'zqabsent0000qz']),
        'zqabsent0000qz',
      );
      for (const [text] of this.unseenTexts()) {
        const answer = comparable(await this.query(operation, things, [name, text]), text);
        if (answer === absent) continue;
        this.findings.add(
          `${this.caller.name}: ${operation.name} ${name}=${text} tells: ${difference(answer, absent)}`,
        );
      }
    }
  }

  /** One text of each kind that this caller must not see. */
  private unseenTexts(): Map<string, Class> {
    const byClass = new Map<Class, string>();
    for (const [marker, what] of this.world.markers)
      if (!this.caller.sees.has(what) && !/account/.test(what)) byClass.set(what, marker);
    return new Map([...byClass].map(([what, marker]) => [marker, what]));
  }

  private query(operation: Operation, things: Things, [name, value]: [string, string]): Promise<Answer> {
    const path = pathOf(operation, things);
    const others = (path.split('?')[1] ?? '')
      .split('&')
      .filter((part) => part && !part.startsWith(`${name}=`));
    const query = [...others, `${name}=${encodeURIComponent(value)}`].join('&');
    const [bare] = path.split('?');
    return this.send({ ...operation, path: `${bare}?${query}`, parameters: [] }, { things, fields: null });
  }

  private async send(
    operation: Operation,
    { things, fields = null, body }: { things: Things; fields?: string[] | null; body?: unknown },
  ): Promise<Answer> {
    const path = pathOf(operation, things);
    const payload = body ?? this.body(operation, things, fields);
    this.sent = `${path} ${JSON.stringify(payload)}`;
    const answer = await this.caller.client.send(operation.method, path, payload);
    if (answer.status < 300) this.reached.add(operation.name);
    return answer;
  }

  /** The example, or these of its fields; nodes get the tag that makes them visible. */
  private body(operation: Operation, things: Things, fields: string[] | null): object | undefined {
    const example = bodyOf(operation, things, ++this.number);
    if (example === undefined) return undefined;
    const tagged = mapLeaves(example, (leaf, key) => (key === 'tags' ? this.world.shownTag : leaf)) as object;
    return fields === null
      ? tagged
      : Object.fromEntries(Object.entries(tagged).filter(([name]) => fields.includes(name)));
  }

  private things(visible: Record<string, string>): Things {
    const absent: Record<string, string> = {
      current_password: 'wrong password',
      email: 'nobody@example.org',
      // The first version of the nodes that apps see was hidden from them.
      version: '2',
      timestamp: '2999-01-01T00:00:00Z',
    };
    for (const kind of ['node', 'to node', 'tag', 'parent tag', 'relationship', 'profile', 'proposal'].concat(
      ['authorization', 'app', 'key', 'user', 'session', 'file', 'schema'],
    )) {
      absent[kind] = randomUUID();
    }
    return { ...absent, ...visible } as Things;
  }
}

/** True if success can remove or change things that the caller sees; a mere creation leaves them unchanged. */
const changes = ({ path, name }: Operation): boolean => path.includes('{') || ENDS.test(name);

/**
 * Parameters that are compared with the fields of the documented answer alone: a refusal repeats the caller's own name,
 * and its nearest field depends on the spelling.
 */
const NAMES_OF_FIELDS: ReadonlySet<string> = new Set(['fields', 'relationship_fields']);

/** Kinds of parameters by their names; dealings between people have ids as well. */
const kindIn = (name: string): string | undefined =>
  /^(share|follow|invitation|delivery)_id$/.exec(name)?.[1] ?? (kindOf(name) as string | undefined);

/** Reads, then writes, then deletions; parts before wholes. */
function inOrder(operations: Operation[]): Operation[] {
  const rank = ({ name, method }: Operation): number =>
    ENDS_ALL.test(name) ? 3 : ENDS.test(name) ? 2 : method === 'GET' ? 0 : 1;
  return [...operations].sort((a, b) => rank(a) - rank(b) || b.path.length - a.path.length);
}

const onlyWith = ({ fields }: Operation, ...names: string[]): string[] => [
  ...names,
  ...fields.filter(({ at, isRequired }) => at.length === 1 && isRequired).map(({ at }) => String(at[0])),
];

function placesOf(operation: Operation): Place[] {
  const inBody = operation.fields.filter(
    ({ at }) => typeof valueAt(operation.example, at) === 'string' && kindOf(fieldName(at)) !== undefined,
  );
  return [
    ...operation.parameters
      .filter(({ in: where }) => where !== 'header')
      .map(({ in: where, name }): Place => ({ in: where as 'path', name })),
    ...inBody.map(({ at }): Place => ({ in: 'body', name: fieldName(at), at })),
  ];
}

const fieldName = (at: Path): string => at.filter((step) => typeof step === 'string').at(-1) as string;

/** The place from which two answers differ. */
function difference(a: string, b: string): string {
  const at = [...a].findIndex((character, index) => character !== b[index]);
  return [a, b]
    .map((text) => text.slice(0, 5) + '…' + text.slice(Math.max(0, at - 60), at + 200))
    .join('\n  ');
}

/** Markers in a text, and in its parts that look like base64 or hexadecimal. */
export function markersIn(text: string): Set<string> {
  const found = new Set<string>();
  const look = (part: string): void => {
    for (const [marker] of part.toLowerCase().matchAll(MARKER))
      found.add(marker).add(marker.replace('@', ''));
  };
  look(text);
  for (const [token] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
    for (const skip of [0, 1, 2, 3]) look(Buffer.from(token.slice(skip), 'base64').toString('latin1'));
    if (/^([0-9a-f]{2})+$/i.test(token)) look(Buffer.from(token, 'hex').toString('latin1'));
  }
  return found;
}

/** An answer without parts that differ between requests: ids and times of new things, and the requested id. */
export function comparable({ status, text, headers }: Answer, id: string): string {
  const { date, 'x-request-id': requestId, ...rest } = headers;
  void date;
  const body = text.replaceAll(id, '<asked>').replaceAll(String(requestId), '<request>');
  const made = body
    .replace(UUID, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/pig_\w+/g, '<secret>')
    .replace(/"(last_four|prefix)":"\w+"/g, '<part>')
    .replace(/ \d{6}/g, ' <number>');
  return JSON.stringify([status, rest, status < 300 ? made : body]);
}
