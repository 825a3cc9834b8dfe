import { type Operation } from '../support/operations.js';
import { bodyOf, pathOf, type Things } from '../support/plausible.js';
import { type FullAccount, multipart } from './full-account.js';
import { type Body, LARGEST } from './largest-bodies.js';
import { smallNode } from './largest-things.js';
import { type Preparation, PREPARATIONS } from './preparations.js';
import { PASSWORD, Somebody } from './somebody.js';
import { unique } from './unique.js';

export interface LargestRequest {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Body;
}

/** Questions beside the plain one, in turn. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'GET /nodes': ['', 'search=w17', 'sort=title&search=person', 'sort=created_at&order=asc', 'deleted=true'],
  'GET /nodes/{node_id}/history': ['', 'start_date=2000-01-01'],
  'GET /nodes/{node_id}/contributions': ['status=all'],
  'GET /agents/{agent_id}/contributions': ['status=all'],
  'GET /schemas/{schema_id}': ['resolve=true'],
  'GET /sync': ['', 'ids_only=true'],
  'GET /exposure-profiles/{profile_id}/explain': [''],
};
const FLAGS = /^(include_\w+|resolve_tag_names)$/;
/** Operations on a log-in or a whole person; an importer has nothing yet. */
const OF_A_VISITOR = /^\/auth\/(me|logout|refresh|password|sessions|login|reauthenticate|totp)|^\/import$/;

/** Makes the things that an operation removes, or that it may change only once. */
type Spare = (account: FullAccount, number: number, path: string) => Promise<string>;
const SPARES: Readonly<Record<string, Spare>> = {
  node: async (account, number, path) => {
    const id = await account.make('/nodes', smallNode(900_000 + number));
    if (path.endsWith('/restore')) await (await account.owner.client()).delete(`/nodes/${id}`);
    return id;
  },
  tag: (account, number) => account.make('/tags', { name: unique(`spare ${number}`) }),
  relationship: (account, number) =>
    account.make('/relationships', {
      from_node_id: account.large[1],
      to_node_id: account.small[number % account.small.length],
      relationship_type: unique('spare'),
    }),
  profile: (account) =>
    account.make('/exposure-profiles/from-template', { template: 'transparent', name: unique('spare') }),
  app: (account) => account.make('/apps', { name: unique('spare'), requested_permissions: {} }),
  key: (account) => account.make(`/apps/${account.things.app}/keys`, { name: unique('spare') }),
  schema: (account) => account.make('/schemas', { name: unique('spare'), json_schema: {} }),
  file: (account) => account.file(1_000),
  group: (account) => account.make('/groups', { name: unique('spare') }),
  proposal: (account, number, path) => account.proposal(number, path.split('/').at(-1) as string),
};
const ENDS = /^DELETE|^PATCH \/proposals\/|\/(restore|approve|reject|apply|revert)$/;

export const CALLERS = ['owner', 'masking', 'listing', 'expression'] as const;
export type CallerName = (typeof CALLERS)[number];

/** The callers of the rig that may call an operation. */
export function callersOf({ callers }: Operation): readonly CallerName[] {
  if (callers === 'user' || callers === 'public') return ['owner'];
  return callers === 'key' ? ['masking', 'listing'] : CALLERS;
}

/** The largest legal request of each operation. */
export class LargestRequests {
  #number = 0;

  constructor(private readonly account: FullAccount) {}

  async of(operation: Operation, caller: CallerName): Promise<LargestRequest> {
    const number = ++this.#number;
    const { name, method } = operation;
    const prepared = await this.prepared(operation, { number, isOwner: caller === 'owner' });
    const things = { ...this.account.things, ...prepared.things } as Things;
    const body =
      prepared.body ?? LARGEST[name]?.(this.account, number) ?? bodyOf(operation, things, 500_000 + number);
    const headers = {
      ...typeOf(operation, body),
      ...(prepared.credentials ?? (await this.credentialsOf(operation, caller))),
    };
    return { name, method, path: this.pathOf(operation, things, { number, ...prepared }), headers, body };
  }

  private async credentialsOf({ callers }: Operation, caller: CallerName): Promise<Record<string, string>> {
    if (callers === 'public') return {};
    return caller === 'owner'
      ? this.account.owner.credentials()
      : (this.account.apps[caller] as Record<string, string>);
  }

  /** Whatever may go. What ends a log-in, or a person, is done by somebody who came for it. */
  private async prepared(
    operation: Operation,
    request: { number: number; isOwner: boolean },
  ): Promise<Preparation> {
    const { name, path } = operation;
    const prepare = PREPARATIONS[name];
    if (prepare !== undefined) return prepare(this.account, request);
    if (OF_A_VISITOR.test(path)) return visited(await Somebody.register(this.account.owner.origin));
    const kind = /\{(\w+?)_id\}[^{]*$/.exec(path)?.[1];
    const spare = kind === undefined || !ENDS.test(name) ? undefined : SPARES[kind];
    if (spare === undefined) return {};
    return { things: { [kind as string]: await spare(this.account, request.number, path) } };
  }

  private pathOf(
    operation: Operation,
    things: Things,
    { number, query: prepared }: { number: number; query?: string },
  ): string {
    const path = pathOf(operation, { ...things, node_id: things.node });
    const variants = QUERIES[operation.name] ?? [''];
    const variant = prepared ?? variants[number % variants.length] ?? '';
    const asked = operation.parameters.flatMap(({ name, in: place, required, schema }) => {
      if (place !== 'query' || required || variant.includes(`${name}=`)) return [];
      const { maximum } = schema as { maximum?: number };
      if (/^(limit|per_page|days)$/.test(name)) return [`${name}=${maximum ?? 100}`];
      return FLAGS.test(name) ? [`${name}=true`] : [];
    });
    const query = [...asked, variant].filter((part) => part !== '').join('&');
    return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  }
}

const visited = async (visitor: Somebody): Promise<Preparation> => ({
  credentials: await visitor.credentials(),
  things: {
    email: visitor.email,
    refresh_token: visitor.refreshToken,
    current_password: PASSWORD,
  },
});

function typeOf({ path }: Operation, body: Body): Record<string, string> {
  if (!Buffer.isBuffer(body)) return {};
  return path === '/import' ? { 'Content-Type': 'application/zip' } : multipart(Buffer.alloc(0))[1];
}
