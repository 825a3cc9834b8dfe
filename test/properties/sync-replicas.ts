import { isDeepStrictEqual } from 'node:util';
import { type Client } from '../support/client.js';
import {
  type Caller,
  expectedDeletion,
  isIn,
  mayRead,
  type ModelScope,
  type ModelState,
  profileOf,
  sees,
  visibleIds,
} from './sync-model.js';
import { copyOfParts, type Entity, type HeldParts, idOf, isPart, noParts, SyncParts } from './sync-parts.js';
import { type Include, type Step } from './sync-steps.js';

type Wire = Record<string, unknown> & { id: string };

interface Held {
  cursor: string | null;
  nodes: Map<string, Wire>;
  parts: HeldParts;
  /** True if all pages were read. */
  isComplete: boolean;
  /** The parts that the pages included. */
  include: Include;
}

const NOTHING = (): Held => ({
  cursor: null,
  nodes: new Map(),
  parts: noParts(),
  isComplete: false,
  include: '',
});

const copyOf = (held: Held): Held => ({
  ...held,
  nodes: new Map(held.nodes),
  parts: copyOfParts(held.parts),
});

interface Line {
  held: Held;
  /** Earlier cursors with the contents held at the time; they never expire. */
  past: Held[];
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Page = any;

const UNNAMED = ['version', 'updated_at'];
const SCHEMA = '00000000-0000-7000-8000-000000000005';

/** Clients that apply every page, and a reader who compares. */
export class SyncReplicas {
  private readonly lines = new Map<string, Line>();
  private readonly parts: SyncParts;

  constructor(
    private readonly clients: Record<Caller, Client>,
    private readonly state: ModelState,
    private readonly history: readonly ModelState[],
  ) {
    this.parts = new SyncParts(clients, state, history);
  }

  /** True if that client has ever pulled. */
  isUsed(caller: Caller, scope: ModelScope): boolean {
    return this.lines.has(`${caller} ${textOf(scope)}`);
  }

  startAnew(caller: Caller, scope: ModelScope): void {
    this.line(caller, scope).held = NOTHING();
  }

  goBack(caller: Caller, scope: ModelScope, to: number): void {
    const line = this.line(caller, scope);
    const earlier = line.past[to % Math.max(line.past.length, 1)];
    if (earlier) line.held = copyOf(earlier);
  }

  async pull(step: Extract<Step, { do: 'pull' }>, scope: ModelScope): Promise<void> {
    const { caller, limit, pages, loses, include } = step;
    const line = this.line(caller, scope);
    const isAlike = line.held.include === include;
    const whole = line.held.cursor === null || (line.held.isComplete && isAlike);
    const inPass = new Set<string>();
    let hasPromised = false;
    for (let page = 0; page < pages; page++) {
      const query = `scope=${textOf(scope)}&limit=${limit}${line.held.cursor === null ? '' : `&cursor=${line.held.cursor}`}${include === '' ? '' : `&include=${include}`}`;
      const lost = loses ? await this.get(caller, scope, `${query}&ids_only=true`) : null;
      const answer = await this.get(caller, scope, `${query}&include_tags=true`);
      if (answer === null) return;
      if (lost) this.compareIds(lost, answer);
      if (hasPromised) must(answer.changes.length > 0, 'has_more promised an entry and none came');
      must(answer.changes.length <= limit, 'a page over its limit');
      for (const entry of answer.changes) {
        const id = idOf(entry);
        must(
          (entry.entity === undefined) === (include === ''),
          'an entry that names its entity, or does not',
        );
        must(!(whole && inPass.has(id)), `two entries for ${id} in one pass`);
        inPass.add(id);
        if (isPart(entry)) this.parts.apply(line.held.parts, entry, { caller, scope });
        else this.apply(line.held.nodes, entry, { caller, scope, id });
      }
      this.checkStats(answer);
      line.held = { ...line.held, cursor: answer.cursor, isComplete: !answer.has_more, include };
      line.past.push(copyOf(line.held));
      hasPromised = answer.has_more;
      if (!answer.has_more) break;
    }
    if (!line.held.isComplete) return;
    await this.compareWithFullRead(caller, scope, line.held);
    const entities = include.split(',').map((part) => part.slice(0, -1) as Entity);
    await this.parts.compare(line.held.parts, include === '' ? [] : entities, { caller, scope });
  }

  /** Null when the caller is refused, as the model predicts. */
  private async get(caller: Caller, scope: ModelScope, query: string): Promise<Page> {
    const { status, body, text } = await this.clients[caller].get(`/sync?${query}`);
    const isRefused = caller === 'app' && !mayRead(this.state);
    must(isRefused === (status === 403), `status ${status}, refused in the model: ${isRefused}`);
    if (isRefused) return null;
    if (status === 404) {
      must(scope.kind === 'tag' && !this.knows(caller, scope.id), '404 for a tag that the caller knows');
      return null;
    }
    must(status === 200, `status ${status}: ${text}`);
    must(scope.kind !== 'tag' || this.knows(caller, scope.id), '200 for a tag that the caller does not know');
    return body;
  }

  private knows(caller: Caller, tagId: string): boolean {
    if (this.state.tags.find(({ id }) => id === tagId)?.deleted) return false;
    if (caller === 'owner') return true;
    const { readAll, readTags, detail } = profileOf(this.state);
    // The least level hides the tags of nodes, so that there is no scope by tag (rule 3.16a).
    if (detail === 'minimal') return false;
    return readAll || readTags.includes(tagId);
  }

  private apply(
    nodes: Map<string, Wire>,
    entry: Page,
    { caller, scope, id }: { caller: Caller; scope: ModelScope; id: string },
  ): void {
    must(this.wasEverVisible(caller, scope, id), `${id} was never visible`);
    const held = nodes.get(id);
    must(
      (entry.action === 'create') === (held === undefined),
      `${entry.action} of ${id}, held: ${held !== undefined}`,
    );
    if (entry.action === 'delete') {
      const { reason, title } = expectedDeletion(this.history, { caller, scope, id });
      const told = [entry.reason, entry.deleted_title];
      must(
        isDeepStrictEqual(told, [reason, title]),
        `delete of ${id}: ${told.join()} instead of ${reason},${title}`,
      );
      nodes.delete(id);
      return;
    }
    if (held) {
      const changed = fieldsThatDiffer(held, entry.node);
      const named = changed.filter((field) => !UNNAMED.includes(field)).sort();
      must(changed.length > 0, `an update of ${id} that changes nothing`);
      const told = [...entry.changed_fields].sort();
      must(
        isDeepStrictEqual(told, named),
        `changed_fields of ${id}: ${told.join()} instead of ${named.join()}`,
      );
    }
    nodes.set(id, entry.node);
  }

  private wasEverVisible(caller: Caller, scope: ModelScope, id: string): boolean {
    return this.history.some((state) =>
      state.nodes.some((node) => node.id === id && sees(state, caller, node) && isIn(scope, node)),
    );
  }

  private async compareWithFullRead(caller: Caller, scope: ModelScope, { nodes }: Held): Promise<void> {
    const { status, body } = await this.clients[caller].get('/nodes?include_tags=true&limit=100');
    must(status === 200, `full read: ${status}`);
    const ids = visibleIds(this.state, caller, scope).sort();
    const read = (body.nodes as Wire[])
      .filter(({ id, schema_id }) =>
        scope.kind === 'schema' ? schema_id === SCHEMA : scope.kind === 'all' || ids.includes(id),
      )
      .map(withoutListFields);
    must(
      isDeepStrictEqual(read.map(({ id }) => id).sort(), ids),
      `the service shows ${read
        .map(({ id }) => id)
        .sort()
        .join()}, the model ${ids.join()}`,
    );
    must(
      isDeepStrictEqual([...nodes.keys()].sort(), ids),
      `held ${[...nodes.keys()].sort().join()}, visible ${ids.join()}`,
    );
    for (const node of read) {
      must(
        isDeepStrictEqual(nodes.get(node.id), node),
        `held ${JSON.stringify(nodes.get(node.id))}, read ${JSON.stringify(node)}`,
      );
    }
  }

  private compareIds(lost: Page, answer: Page): void {
    const ids = answer.changes.map((entry: Page) => {
      const { entity, action, timestamp, version } = entry;
      const named = entity === undefined ? {} : { entity };
      return { ...named, action, timestamp, version, [`${entity ?? 'node'}_id`]: idOf(entry) };
    });
    must(isDeepStrictEqual(lost.changes, ids), 'the answer to a repeated question differs');
    must(lost.has_more === answer.has_more, 'has_more of a repeated question differs');
  }

  private checkStats({ changes, stats }: Page): void {
    const count = (action: string) => changes.filter((entry: Page) => entry.action === action).length;
    const expected = {
      created: count('create'),
      updated: count('update'),
      deleted: count('delete'),
      total: changes.length,
    };
    must(isDeepStrictEqual(stats, expected), 'stats do not describe the page');
  }

  private line(caller: Caller, scope: ModelScope): Line {
    const key = `${caller} ${textOf(scope)}`;
    let line = this.lines.get(key);
    if (!line) {
      line = { held: NOTHING(), past: [] };
      this.lines.set(key, line);
    }
    return line;
  }
}

const withoutListFields = (entry: Wire): Wire => {
  const node = { ...entry };
  delete node['is_shared'];
  return node;
};

const textOf = (scope: ModelScope): string =>
  scope.kind === 'all' ? 'all' : scope.kind === 'tag' ? `tag:${scope.id}` : `schema:${SCHEMA}`;

const fieldsThatDiffer = (one: Wire, other: Wire): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => !(field in one && field in other && isDeepStrictEqual(one[field], other[field])),
  );

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
