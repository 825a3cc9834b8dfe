import { type World } from '../support/world.js';
import { type Subject } from './subjects.js';

/** A fault that is planted into running services; the rig must find it. */
export interface Plant {
  /** The name on the command line (--plant). */
  name: string;
  fault: string;
  subject: Subject;
  /** The operations that reveal the fault. */
  only: RegExp;
  /** The expected text of the finding. */
  shows: RegExp;
  put(soil: Soil): Promise<void>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Method = (...given: any[]) => any;
type Methods = Record<string, Method>;

/** Methods that replace a class's own. */
const patched = new WeakSet<Method>();

/** One world's service, with methods that can be replaced. */
export class Soil {
  private readonly undone: (() => void)[] = [];

  constructor(private readonly world: World) {}

  /** Replaces a method by one that `made` builds from it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  replace(token: any, name: string, made: (method: Method) => Method): void {
    const target = this.world.nest.get<Record<string, Method>>(token, { strict: false });
    target[name] = made((target[name] as Method).bind(target));
    // Restores the method of the class.
    this.undone.push(() => delete target[name]);
  }

  /** The same for a class whose objects no container makes; worlds share it, so it is replaced once. */
  patch(prototype: object, name: string, made: (method: Method, self: Methods) => Method): void {
    const methods = prototype as Methods;
    const original = methods[name] as Method;
    if (patched.has(original)) return;
    const replaced = function (this: Methods, ...given: unknown[]): unknown {
      return made(original.bind(this), this)(...given);
    };
    patched.add(replaced);
    methods[name] = replaced;
    this.undone.push(() => (methods[name] = original));
  }

  /** A number from a query that ignores all permissions. */
  async number(text: string, value: string): Promise<number> {
    const { Database, sql } = await kernel();
    const [before, after] = text.split('?') as [string, string];
    const query = sql`${sql.raw(before)}${value}${sql.raw(after)}`;
    const [row] = await this.world.nest.get(Database, { strict: false }).read<{ n: number }>(query);
    return row?.n ?? 0;
  }

  clear(): void {
    for (const undo of this.undone) undo();
  }
}

// Loaded only for a planted fault: before, the rig replaces the service's source of ids.
const kernel = async () => ({
  ...(await import('../../src/kernel/database/sql.js')),
  ...(await import('../../src/kernel/database/database.js')),
  ...(await import('../../src/kernel/change-log/change-log.js')),
  ...(await import('../../src/kernel/errors/domain-error.js')),
});
const graph = async () => ({
  ...(await import('../../src/graph/nodes/infrastructure/nodes.queries.js')),
  ...(await import('../../src/graph/nodes/http/nodes.locator.js')),
  ...(await import('../../src/graph/nodes/http/node.presenter.js')),
  ...(await import('../../src/graph/nodes/infrastructure/shown-versions.js')),
  ...(await import('../../src/graph/common/domain/node-view.js')),
});

const tags = () => import('../../src/graph/tags/application/tags.service.js');

const OWNED = 'SELECT count(*)::int AS n FROM nodes WHERE owner_id = ?';
const NAMED = 'SELECT length(title) AS n FROM nodes WHERE id = ?';
const EDGES = 'SELECT count(*)::int AS n FROM relationships WHERE ? IN (from_node_id, to_node_id)';

export const PLANTS: Plant[] = [
  {
    name: 'total',
    fault: 'a total that counts hidden nodes',
    subject: 'narrow app',
    only: /^GET \S+\/nodes$/,
    shows: /total/,
    async put(soil) {
      const { NodesQueries } = await graph();
      soil.replace(
        NodesQueries,
        'count',
        () =>
          ({ ownerId }: { ownerId: string }) =>
            soil.number(OWNED, ownerId),
      );
    },
  },
  {
    name: 'error',
    fault: 'an error that tells of what is hidden',
    subject: 'receiver',
    only: /^GET \S+\/nodes\/\{node_id\}$/,
    shows: /Node of \d+ letters not found/,
    async put(soil) {
      const [{ DomainError }, { NodesLocator }] = [await kernel(), await graph()];
      soil.replace(NodesLocator, 'locate', (locate) => async (request, id: string, use) => {
        const letters = await soil.number(NAMED, id);
        try {
          return await locate(request, id, use);
        } catch (error) {
          if (letters === 0) throw error;
          throw new DomainError('NODE_NOT_FOUND', `Node of ${letters} letters not found`);
        }
      });
    },
  },
  {
    name: 'order',
    fault: 'a list ordered by relationships, hidden ones too',
    subject: 'summary app',
    only: /^GET \S+\/nodes$/,
    shows: /GET \/(tags\/[^/]+\/)?nodes/,
    async put(soil) {
      const { NodesQueries } = await graph();
      soil.replace(NodesQueries, 'page', (page) => async (...asked) => {
        const records = (await page(...asked)) as { id: string }[];
        const edges = new Map<string, number>();
        for (const { id } of records) edges.set(id, await soil.number(EDGES, id));
        return records.sort((a, b) => (edges.get(b.id) ?? 0) - (edges.get(a.id) ?? 0));
      });
    },
  },
  {
    name: 'stored version',
    fault: 'the stored version and time of a node of which something is hidden',
    subject: 'summary app',
    only: /^GET \S+\/nodes\/\{node_id\}$/,
    shows: /GET \/nodes\/\S+\s.*version|etag/s,
    async put(soil) {
      const { ShownVersions, stamp } = await graph();
      soil.replace(ShownVersions, 'stamp', () => (access, nodes) => {
        for (const node of nodes) {
          const updated_at = new Date(node.updated_at as string).toISOString();
          stamp(access, node, { version: node.version, updated_at });
        }
        return Promise.resolve();
      });
    },
  },
  {
    name: 'order of sync',
    fault: 'a pull of sync in the order of last changes, hidden ones too',
    subject: 'summary app',
    only: /^GET \S+\/sync$/,
    shows: /GET \/sync/,
    async put(soil) {
      const { NodeFeed } = await import('../../src/sync/application/node-feed.js');
      const { beginPass } = await import('../../src/sync/domain/replica.js');
      soil.replace(
        NodeFeed,
        'begin',
        () =>
          ({ now }, base, { isAboutAll, tags }) =>
            beginPass(base, now, { order: 'last change', isUnruled: !isAboutAll && tags.size === 0 }),
      );
    },
  },
  {
    name: 'time of a relationship',
    fault: 'the stored time of change of a relationship of which something is hidden',
    subject: 'minimal app',
    only: /^GET \S+\/relationships\/\{relationship_id\}$/,
    shows: /updated_at/,
    async put(soil) {
      const { RelationshipPresenter } =
        await import('../../src/graph/relationships/http/relationships.presenter.js');
      soil.replace(
        RelationshipPresenter,
        'present',
        (present) =>
          async (access, { edge, ...ends }, ...rest) => {
            const shown = (await present(access, { edge, ...ends }, ...rest)) as object;
            return { ...shown, updated_at: edge.updated_at as Date };
          },
      );
    },
  },
  {
    name: 'etag of a tag',
    fault: 'an entity tag that moves with what is hidden of a tag',
    subject: 'narrow app',
    only: /^GET \S+\/tags\/\{tag_id\}$/,
    shows: /etag/,
    async put(soil) {
      const { TagPresenter } = await import('../../src/graph/tags/http/tags.presenter.js');
      soil.replace(
        TagPresenter,
        'etag',
        () =>
          (_access, { id, version }) =>
            `${id as string}-${version as number}`,
      );
    },
  },
  {
    name: 'etag',
    fault: 'an entity tag that moves with every change of the graph',
    subject: 'member',
    only: /^GET \S+\/nodes\/\{node_id\}$/,
    shows: /etag/,
    async put(soil) {
      const [{ ChangeLog }, { NodePresenter }] = [await kernel(), await graph()];
      let changes = 0;
      soil.replace(ChangeLog, 'append', (append) => (change) => {
        changes++;
        append(change);
      });
      soil.replace(
        NodePresenter,
        'etag',
        (etag) => async (access, node) => `${(await etag(access, node)) as string}-${changes}`,
      );
    },
  },
  {
    name: 'refusal',
    fault: 'a refusal that knows hidden tags from absent ones',
    subject: 'narrow app',
    only: /^POST \S+\/nodes$/,
    shows: /\b409,/,
    async put(soil) {
      const [{ TagsService }, { DomainError }] = [await tags(), await kernel()];
      soil.replace(
        TagsService,
        'assignment',
        (assignment) => (access: { tags: Record<string, { tagIds: Set<string> }> }) => {
          const made = assignment(access) as { refuse: Method };
          const refuse = made.refuse.bind(made);
          made.refuse = (verb: string, given: string[], found: (string | null)[]) => {
            try {
              refuse(verb, given, found);
            } catch (error) {
              const isThere = found.some((id) => id !== null && !access.tags[verb]?.tagIds.has(id));
              throw isThere ? new DomainError('TAG_ALREADY_EXISTS', 'There is such a tag') : error;
            }
          };
          return made;
        },
      );
    },
  },
  {
    name: 'webhook',
    fault: 'a webhook with the number of its change',
    subject: 'minimal app',
    only: /^GET \S+\/nodes$/,
    shows: /webhooks: /,
    async put(soil) {
      const { EventBodies } = await import('../../src/delivery/application/event-body.service.js');
      soil.replace(EventBodies, 'of', (of) => async (subscription, access, event) => {
        const body = JSON.parse((await of(subscription, access, event)) as string) as object;
        return JSON.stringify({ ...body, sequence: event.change.sequence as number });
      });
    },
  },
  {
    name: 'end',
    fault: 'a webhook of a relationship that forgets the permission of its second node',
    subject: 'narrow app',
    only: /^GET \S+\/nodes$/,
    shows: /webhooks: /,
    async put(soil) {
      const { ThingDecisions } = await import('../../src/delivery/application/thing-decisions.service.js');
      const readable = (state: { from: object; to: object } | null) => state && { ...state, to: state.from };
      soil.replace(ThingDecisions, 'read', (read) => async (subscription, changes) => {
        // eslint-disable-next-line @typescript-eslint/no-explicit-any
        const steps = (await read(subscription, changes)) as any[];
        return steps.map((step) =>
          step.entity === 'tag'
            ? step
            : {
                ...step,
                before: readable(step.before),
                after: readable(step.after),
                present: readable(step.present),
              },
        );
      });
    },
  },
];

/** Plants a fault into both worlds. */
export async function plant(worlds: readonly World[], { put }: Plant): Promise<Soil[]> {
  const soils = worlds.map((world) => new Soil(world));
  for (const soil of soils) await put(soil);
  return soils;
}
