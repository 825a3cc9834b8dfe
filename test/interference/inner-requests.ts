import { type Chance } from '../properties/random.js';
import { type Answer } from '../support/client.js';
import { type Operation } from '../support/operations.js';
import { schemaAbout } from './inner-schemas.js';
import { MASKED_TYPE } from './inner-subjects.js';
import { OwnProposals } from './own-proposals.js';
import { type Pool } from './pool.js';
import { type RandomRequests } from './random-requests.js';
import { Recollection } from './recollection.js';
import { type Both, type Request } from './twins.js';
import { WORDS } from './words.js';

export type Named = Request & { name: string };
/** A request with a path for each world, if it names something that is called otherwise in each. */
export type PairedRequest = Named & { paths?: Both<string> };

/** The material from which requests are drawn. */
export interface Sources {
  chance: Chance;
  pool: Pool;
  others: RandomRequests;
  /** The path of the subject's nodes: Alice's, or a group's. */
  nodes: string;
  /** A value that is stored in one world and hidden in both; undefined if none is known. */
  guess: (node: string, field: 'pin' | 'value') => unknown;
  /** True if the caller is shown hashes or pseudonyms: they differ between the worlds, and so do scores over their words. */
  isShownHashes: boolean;
}

/** Requests that probe hidden content of a node: schemas over it, guesses at it, other types and tags. */
export class InnerRequests {
  readonly recollection: Recollection;
  private readonly proposals = new OwnProposals();
  private number = 0;

  constructor(private readonly from: Sources) {
    this.recollection = new Recollection(from.chance);
  }

  hear(request: Named, answers: Both<Answer>): void {
    this.recollection.hear(request, answers);
    this.proposals.hear(request, answers);
  }

  next(operations: Operation[], isLast = false): PairedRequest {
    const { chance, pool, others } = this.from;
    if (isLast || chance.once(3)) return others.next(operations, isLast);
    pool.turn();
    const among = new Set(operations.map(({ name }) => name));
    for (let tries = 0; tries < 40; tries++) {
      const request = chance.pick(this.tries)();
      if (request !== null && among.has(request.name)) return this.keyed(request);
    }
    return others.next(operations, isLast);
  }

  private get tries(): readonly (() => PairedRequest | null)[] {
    return [
      () => this.schema(),
      () => this.write(),
      () => this.write(),
      () => this.reading(),
      () => this.reading(),
      () => this.search(),
      () => this.recollection.again(),
      () => this.recollection.from('cursor'),
      // Only apps have proposals and webhooks.
      ...(this.from.nodes === '/nodes' ? this.appsTries : [() => this.list()]),
    ];
  }

  private readonly appsTries: readonly (() => PairedRequest | null)[] = [
    () => this.proposal(),
    () => this.proposal(),
    () => this.proposals.offer(),
    () => this.proposals.offer(),
    () => this.proposals.apply(),
    () => this.onProposal(),
    () => this.recollection.from('event'),
    () => this.recollection.from('delivery'),
    () => request('GET', '/webhooks/deliveries', '/webhooks/deliveries'),
  ];

  private keyed(request: PairedRequest): PairedRequest {
    const { chance } = this.from;
    if (request.method !== 'POST' || request.headers !== undefined || !chance.once(4)) return request;
    return { ...request, headers: { 'Idempotency-Key': `inner ${++this.number}` } };
  }

  private schema(): Named {
    const { chance } = this.from;
    const json_schema = schemaAbout(chance, this.guessed(this.node()));
    const name = `about ${++this.number}`;
    return request('POST', '/schemas', '/schemas', { name, category: 'plan', json_schema });
  }

  private node(): string {
    return this.from.pool.pick('node');
  }

  /** Mostly a value that is stored in one world; otherwise a word. */
  private guessed(node: string, field: 'pin' | 'value' = 'pin'): unknown {
    const { chance, guess } = this.from;
    return (chance.once(3) ? undefined : guess(node, field)) ?? chance.pick(WORDS);
  }

  /** Changes of a node, with guesses at its hidden content. */
  private changes(node: string): Record<string, unknown> {
    const { chance, pool } = this.from;
    const word = (): string => chance.pick(WORDS);
    const pin = this.guessed(node);
    const properties = chance.pick<object>([
      { colour: word() },
      { pin },
      { pin, colour: word() },
      { pin: null },
      { status: word() },
      {},
    ]);
    const all: Record<string, unknown> = {
      schema_id: chance.once(4) ? null : pool.pick('schema'),
      metadata: { properties, ...(chance.once(6) ? { secret: { [word()]: pin } } : {}) },
      node_type: chance.pick([MASKED_TYPE, 'note', 'GOAL', 'BELIEF']),
      meaning_level: chance.pick(['CONTEXT', 'IDENTITY']),
      value: chance.once(2) ? String(this.guessed(node, chance.pick(['pin', 'value']))) : word(),
      title: word(),
      tags: chance.pick([['shown'], ['shown', 'spare'], ['spare']]),
    };
    return Object.fromEntries(Object.entries(all).filter(() => chance.once(3)));
  }

  private write(): Named {
    const { chance, nodes } = this.from;
    const node = this.node();
    const isOwn = nodes === '/nodes';
    const method = isOwn && chance.once(2) ? 'PATCH' : 'PUT';
    const operation = isOwn ? '/nodes/{node_id}' : '/groups/{group_id}/nodes/{node_id}';
    return request(method, `${nodes}/${node}`, operation, this.changes(node));
  }

  private proposal(): Named {
    const { chance } = this.from;
    const update = () => {
      const node_id = this.node();
      const base = chance.once(3) ? { base_version: 1 + chance.below(9) } : {};
      return { node_id, changes: this.changes(node_id), ...base };
    };
    const merge = {
      target_node_id: this.node(),
      source_node_ids: [this.node()],
      field_choices: chance.once(2) ? { metadata: 'source' } : { value: 'source' },
    };
    const actions = ['a', 'b'].map((id) => ({ id, type: 'UPDATE_NODE', payload: update() }));
    const quiet = { node_id: this.node(), changes: { title: chance.pick(WORDS), value: chance.pick(WORDS) } };
    // A rehearsal checks the node against a schema, in words that fit any.
    const schema_id = this.from.pool.pick('schema');
    const metadata = { properties: { colour: chance.pick(WORDS) } };
    const probe = { node_id: this.node(), changes: { schema_id, metadata } };
    const what = chance.pick<object>([
      { type: 'UPDATE_NODE', canonical_data: probe },
      { type: 'UPDATE_NODE', canonical_data: probe },
      { type: 'UPDATE_NODE', canonical_data: update() },
      { type: 'UPDATE_NODE', canonical_data: quiet },
      { type: 'UPDATE_NODE', canonical_data: quiet },
      { type: 'MERGE_NODES', canonical_data: merge },
      { type: 'BATCH', actions },
    ]);
    return request('POST', '/proposals', '/proposals', { title: `about ${++this.number}`, ...what });
  }

  private onProposal(): Named {
    const path = `/proposals/${this.from.pool.pick('proposal')}`;
    const one = '/proposals/{proposal_id}';
    return this.from.chance.pick([
      () => request('GET', `${path}/diff`, `${one}/diff`),
      () => request('GET', path, one),
      () => request('POST', `${path}/apply`, `${one}/apply`, {}),
      () => request('PATCH', path, one, { status: 'READY_FOR_APPROVAL' }),
    ])();
  }

  private reading(): Named {
    const { chance, nodes } = this.from;
    const node = this.node();
    const path = `/nodes/${node}`;
    const one = '/nodes/{node_id}';
    const inGroup = nodes === '/nodes' ? nodes : '/groups/{group_id}/nodes';
    return chance.pick([
      () => request('GET', `${path}/history?include_snapshots=true`, `${one}/history`),
      () => request('GET', `${path}/history/${1 + chance.below(4)}`, `${one}/history/{version}`),
      () => request('GET', `${path}/contributions?status=all`, `${one}/contributions`),
      () => request('GET', '/sync?include=relationships,tags', '/sync'),
      () => request('GET', '/proposals/events', '/proposals/events'),
      () => request('GET', '/webhooks/deliveries', '/webhooks/deliveries'),
      () => this.list(),
      () => request('GET', `${nodes}/${node}`, `${inGroup}/{node_id}`),
    ])();
  }

  private list(): Named {
    const { nodes } = this.from;
    const search = encodeURIComponent(String(this.guessed(this.node())));
    const operation = nodes === '/nodes' ? nodes : '/groups/{group_id}/nodes';
    return request('GET', `${nodes}?search=${search}`, operation);
  }

  private search(): Named {
    const { chance, isShownHashes } = this.from;
    const embedding = [chance.below(2), chance.below(2), 1];
    const query = String(this.guessed(this.node()));
    const body = chance.once(2) && !isShownHashes ? { query, limit: 5 } : { embedding, limit: 5 };
    return request('POST', '/nodes/search', '/nodes/search', body);
  }
}

const request = (method: string, path: string, operation: string, body?: object): Named => ({
  name: `${method} /api/v1${operation}`,
  method,
  path,
  body,
});
