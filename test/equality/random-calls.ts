import { WORDS } from '../interference/words.js';
import { type Chance } from '../properties/random.js';
import { type Json, READS, RESOURCES, WRITES } from './equal-requests.js';
import { type House } from './house.js';
import { TAG_NAMES, TYPES } from './random-rules.js';
import { type Call } from './tool-calls.js';

/** Calls with arguments that fit, about things of the house that may be hidden, deleted, somebody else's or absent. */
export class RandomCalls {
  constructor(
    private readonly chance: Chance,
    private readonly house: House,
  ) {}

  next(): Call {
    const { chance } = this;
    const kind = chance.pick(['reads', 'reads', 'writes', 'writes', 'resource'] as const);
    const all = { reads: READS, writes: WRITES, resource: RESOURCES }[kind];
    return this.call(kind, chance.pick(Object.keys(all)));
  }

  call(kind: Call['kind'], name: string): Call {
    const given = (kind === 'resource' ? this.resource(name) : this.arguments(name)) as Json;
    return { name, kind, given, isModern: this.chance.once(2) };
  }

  private arguments(name: string): object {
    const { chance } = this;
    const page = this.maybe({ limit: 1 + chance.below(20), offset: chance.below(4) });
    switch (name) {
      case 'search':
        return { query: this.query(), ...page, ...this.searched() };
      case 'list_nodes':
        return { ...page, ...this.listed() };
      case 'list_tags':
        return { ...page, ...this.maybe({ search: chance.pick(TAG_NAMES).slice(0, 3) }) };
      case 'list_schemas':
        return { ...page, ...this.maybe({ search: 'p', include_json_schema: chance.once(2) }) };
      case 'list_proposals':
        return { ...page, ...this.maybe({ status: chance.pick(['APPLIED', 'READY_FOR_APPROVAL']) }) };
      case 'my_access':
        return {};
      case 'fetch':
        return { id: this.node() };
      case 'neighborhood': {
        const most = { depth: 1 + chance.below(3), limit: 1 + chance.below(30) };
        return { id: this.node(), ...this.maybe(most) };
      }
      case 'node_history':
        return { id: this.node(), ...page };
      default:
        return this.written(name);
    }
  }

  private written(name: string): object {
    const { chance } = this;
    const reason = this.maybe({ reason: `${chance.pick(WORDS)} – ünïcode` });
    switch (name) {
      case 'remember':
        return chance.once(4)
          ? { title: 'known' }
          : { ...this.fields(), title: this.house.words(), ...reason };
      case 'update_node':
        return {
          id: this.node(),
          ...this.fields(),
          ...reason,
          ...this.maybe({ version: 1 + chance.below(4) }),
        };
      case 'link_nodes': {
        const more = this.maybe({ context: this.house.words(), bidirectional: chance.once(2) });
        return { from_id: this.node(), to_id: this.node(), type: chance.pick(WORDS), ...more, ...reason };
      }
      case 'propose_change':
        return { title: this.house.words(), reason: 'because', ...this.suggested() };
      default:
        return { id: this.node(), ...reason };
    }
  }

  private suggested(): object {
    const { chance } = this;
    const link = { from_id: this.node(), to_id: this.node(), type: 'about' };
    const all = {
      create: [{ ...this.fields(), title: this.house.words() }],
      update: [{ id: this.node(), ...this.fields() }],
      delete: [this.node()],
      link: [link],
    };
    const names = chance.some(Object.keys(all), 2) as (keyof typeof all)[];
    return Object.fromEntries(
      (names.length === 0 ? ['create' as const] : names).map((name) => [name, all[name]]),
    );
  }

  private fields(): object {
    const { chance, house } = this;
    return this.maybe({
      title: house.words(),
      text: house.words(),
      node_type: chance.pick(TYPES),
      tags: chance.once(8) ? [`new ${chance.below(9)}`] : house.someTags(),
      properties: { pin: chance.pick(['1234567', 'other']) },
      ...(chance.once(4) ? { schema_id: house.schema } : {}),
    });
  }

  private searched(): object {
    const { chance, house } = this;
    return this.maybe({
      node_types: [chance.pick(TYPES), chance.pick(TYPES)],
      tag_ids: [chance.pick(house.tags)],
      created_from: '2020-01-01T00:00:00Z',
      created_before: '2999-01-01T00:00:00Z',
    });
  }

  private listed(): object {
    const { chance, house } = this;
    return this.maybe({
      search: this.query(),
      node_type: chance.pick(TYPES),
      tag_id: chance.pick(house.tags),
      sort: chance.pick(['updated_at', 'created_at', 'title']),
      order: chance.pick(['asc', 'desc']),
    });
  }

  private resource(name: string): object {
    const { chance } = this;
    if (name === 'node') return { id: this.node() };
    if (name === 'tag') return { name: chance.pick([...TAG_NAMES, 'SEA', 'none']) };
    return name === 'completion' ? { value: chance.pick(['', 's', 'wor', 'none']) } : {};
  }

  private query = (): string => this.chance.pick([...WORDS, 'sea plan', '1234567', 'example.org']);

  private node(): string {
    const { chance, house } = this;
    return chance.once(12) ? house.absent() : chance.pick(house.nodes);
  }

  /** Some of these arguments. */
  private maybe = (all: object): object =>
    Object.fromEntries(Object.entries(all).filter(() => this.chance.once(2)));
}
