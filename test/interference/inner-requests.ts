import { type Chance } from '../properties/random.js';
import { type Operation } from '../support/operations.js';
import { type Pool } from './pool.js';
import { type RandomRequests, WORDS } from './random-requests.js';
import { MASKED_TYPE } from './subjects.js';
import { type Request } from './twins.js';

type Named = Request & { name: string };

const about = (pattern: object): object => ({ properties: { pin: pattern } });

/** Requests that try what a node holds and does not show: schemas over it, guesses at it, other types and tags. */
export class InnerRequests {
  private number = 0;

  constructor(
    private readonly chance: Chance,
    private readonly pool: Pool,
    private readonly others: RandomRequests,
  ) {}

  next(operations: Operation[], isLast = false): Named {
    if (isLast || this.chance.once(2)) return this.others.next(operations, isLast);
    this.pool.turn();
    const among = new Set(operations.map(({ name }) => name));
    const { chance } = this;
    for (;;) {
      const request = chance.pick([
        () => this.schema(),
        () => this.write('PUT'),
        () => this.write('PATCH'),
        () => this.proposal(),
        () => this.rehearsal(),
        () => this.rehearsal(),
        () => this.past(),
        () => this.search(),
      ])();
      if (among.has(request.name)) return request;
      if (![...TRIED].some((name) => among.has(name))) return this.others.next(operations, isLast);
    }
  }

  private schema(): Named {
    const { chance } = this;
    const word = chance.pick(WORDS);
    const json_schema = chance.pick<object>([
      about({ pattern: `^${word[0]}` }),
      about({ const: word }),
      about({ maxLength: chance.below(6) }),
      about({ maximum: chance.below(9) }),
      { required: ['pin'] },
      { patternProperties: { '^p': false } },
      { if: about({ const: word }), then: { properties: { colour: false } } },
    ]);
    const name = `about ${++this.number}`;
    return request('POST', '/schemas', '/schemas', { name, category: 'plan', json_schema });
  }

  /** Changes of a node, with guesses at what it hides. */
  private changes(): Record<string, unknown> {
    const { chance, pool } = this;
    const word = (): string => chance.pick(WORDS);
    const properties = chance.pick<object>([
      { colour: word() },
      { pin: word() },
      { pin: word(), colour: word() },
      { status: word() },
      {},
    ]);
    const all: Record<string, unknown> = {
      schema_id: chance.once(4) ? null : pool.pick('schema'),
      metadata: { properties },
      node_type: chance.pick([MASKED_TYPE, 'note', 'GOAL', 'BELIEF']),
      meaning_level: chance.pick(['CONTEXT', 'IDENTITY']),
      value: word(),
      title: word(),
      tags: chance.pick([['shown'], ['shown', 'spare']]),
    };
    return Object.fromEntries(Object.entries(all).filter(() => chance.once(3)));
  }

  private write(method: 'PUT' | 'PATCH'): Named {
    return request(method, `/nodes/${this.pool.pick('node')}`, '/nodes/{node_id}', this.changes());
  }

  private proposal(): Named {
    const { chance, pool } = this;
    const update = () => ({
      node_id: pool.pick('node'),
      changes: this.changes(),
      ...(chance.once(2) ? { base_version: 1 + chance.below(4) } : {}),
    });
    const merge = {
      target_node_id: pool.pick('node'),
      source_node_ids: [pool.pick('node')],
      field_choices: chance.once(2) ? { metadata: 'source' } : { value: 'source' },
    };
    const actions = ['a', 'b'].map((id) => ({ id, type: 'UPDATE_NODE', payload: update() }));
    const what = chance.pick<object>([
      { type: 'UPDATE_NODE', canonical_data: update() },
      { type: 'UPDATE_NODE', canonical_data: update() },
      { type: 'MERGE_NODES', canonical_data: merge },
      { type: 'BATCH', actions },
    ]);
    return request('POST', '/proposals', '/proposals', { title: `about ${++this.number}`, ...what });
  }

  private rehearsal(): Named {
    const path = `/proposals/${this.pool.pick('proposal')}`;
    if (this.chance.once(4)) return request('GET', `${path}/diff`, '/proposals/{proposal_id}/diff');
    return request('PATCH', path, '/proposals/{proposal_id}', { status: 'READY_FOR_APPROVAL' });
  }

  private past(): Named {
    const path = `/nodes/${this.pool.pick('node')}/history`;
    return request('GET', `${path}?include_snapshots=true`, '/nodes/{node_id}/history');
  }

  private search(): Named {
    const embedding = [this.chance.below(2), this.chance.below(2), 1];
    return request('POST', '/nodes/search', '/nodes/search', { embedding, limit: 5 });
  }
}

const request = (method: string, path: string, operation: string, body?: object): Named => ({
  name: `${method} /api/v1${operation}`,
  method,
  path,
  body,
});

const TRIED = new Set(
  [
    'POST /schemas',
    'PUT /nodes/{node_id}',
    'PATCH /nodes/{node_id}',
    'POST /proposals',
    'PATCH /proposals/{proposal_id}',
    'GET /proposals/{proposal_id}/diff',
    'GET /nodes/{node_id}/history',
    'POST /nodes/search',
  ].map((name) => name.replace(' ', ' /api/v1')),
);
