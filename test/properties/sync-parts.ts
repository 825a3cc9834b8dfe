import { isDeepStrictEqual } from 'node:util';
import { type Client } from '../support/client.js';
import {
  type Caller,
  expectedReason,
  isEdgeIn,
  knowsTag,
  type ModelScope,
  type ModelState,
  seesEdge,
} from './sync-model.js';

type Wire = Record<string, unknown> & { id: string };
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Entry = any;

export const ENTITIES = ['relationship', 'tag'] as const;
export type Entity = (typeof ENTITIES)[number];

/** The relationships and tags of a replica. */
export type HeldParts = Record<Entity, Map<string, Wire>>;

export const noParts = (): HeldParts => ({ relationship: new Map(), tag: new Map() });

export const copyOfParts = ({ relationship, tag }: HeldParts): HeldParts => ({
  relationship: new Map(relationship),
  tag: new Map(tag),
});

interface Place {
  caller: Caller;
  scope: ModelScope;
}

const UNNAMED = ['version', 'updated_at'];

/** Applies the entries of relationships and tags, and compares them with the model and with full reads. */
export class SyncParts {
  constructor(
    private readonly clients: Record<Caller, Client>,
    private readonly state: ModelState,
    private readonly history: readonly ModelState[],
  ) {}

  apply(held: HeldParts, entry: Entry, { caller, scope }: Place): void {
    const entity = entry.entity as Entity;
    const things = held[entity];
    const id = idOf(entry);
    const shown = entry[entity] as Wire | undefined;
    const wasEverSeen = this.history.some((state) =>
      this.seen(state, entity, { caller, scope }).includes(id),
    );
    must(wasEverSeen, `${entity} ${id} was never visible`);
    const before = things.get(id);
    const isNew = before === undefined;
    must((entry.action === 'create') === isNew, `${entry.action} of ${entity} ${id}, held: ${!isNew}`);
    if (entry.action === 'delete') {
      const reason = expectedReason(this.history, { caller, scope, id, entity });
      must(entry.reason === reason, `delete of ${entity} ${id}: ${entry.reason} instead of ${reason}`);
      things.delete(id);
      return;
    }
    if (before !== undefined) {
      const fields = [...new Set([...Object.keys(before), ...Object.keys(shown as Wire)])];
      const changed = fields.filter((field) => !isDeepStrictEqual(before[field], shown?.[field]));
      must(changed.length > 0, `an update of ${entity} ${id} that changes nothing`);
      const named = changed.filter((field) => !UNNAMED.includes(field)).sort();
      must(isDeepStrictEqual([...entry.changed_fields].sort(), named), `changed_fields of ${entity} ${id}`);
    }
    things.set(id, shown as Wire);
  }

  async compare(held: HeldParts, entities: readonly Entity[], place: Place): Promise<void> {
    for (const entity of entities) {
      const path = `/${entity}s?access=owned&limit=100`;
      const { status, body, text } = await this.clients[place.caller].get(path);
      must(status === 200, `full read of ${entity}s: ${status} ${text}`);
      const ids = this.seen(this.state, entity, place).sort();
      const read = (body[`${entity}s`] as Wire[]).filter(({ id }) => entity === 'tag' || ids.includes(id));
      const readIds = read.map(({ id }) => id).sort();
      must(isDeepStrictEqual(readIds, ids), `the service shows ${readIds.join()}, the model ${ids.join()}`);
      const heldIds = [...held[entity].keys()].sort();
      must(isDeepStrictEqual(heldIds, ids), `held ${entity}s ${heldIds.join()}, visible ${ids.join()}`);
      for (const thing of read) {
        const own = held[entity].get(thing.id);
        must(isDeepStrictEqual(own, thing), `held ${JSON.stringify(own)}, read ${JSON.stringify(thing)}`);
      }
    }
  }

  private seen(state: ModelState, entity: Entity, { caller, scope }: Place): string[] {
    const things =
      entity === 'tag'
        ? state.tags.filter((tag) => knowsTag(state, caller, tag))
        : state.edges.filter((edge) => seesEdge(state, caller, edge) && isEdgeIn(state, scope, edge));
    return things.map(({ id }) => id);
  }
}

export const isPart = ({ entity }: Entry): boolean => ENTITIES.includes(entity as Entity);

export function idOf(entry: Entry): string {
  const entity = (entry.entity ?? 'node') as string;
  return (entry[`${entity}_id`] ?? entry[entity].id) as string;
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
