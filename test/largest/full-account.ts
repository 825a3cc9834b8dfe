import { randomBytes } from 'node:crypto';
import { Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { type Mailbox } from '../support/mailbox.js';
import { type Things } from '../support/plausible.js';
import { largestProposal } from './largest-bodies.js';
import {
  BATCH_BYTES,
  deepSchema,
  expressionProfile,
  largeNode,
  listingProfile,
  maskingProfile,
  NODE_BYTES,
  smallNode,
  vector,
} from './largest-things.js';
import { ok, PASSWORD, Somebody } from './somebody.js';

type Json = Record<string, unknown>;

/** The most entries of a list in a rule. */
const LISTED = 1_000;
/** Unused tags beyond those in lists: these may be deleted, and an edit of a profile still finds what it names. */
const DELETED = 100;
const TAGS_OF_A_NODE = 50;
const BATCH = 100;

export interface Sizes {
  /** Nodes of the largest legal size. */
  large: number;
  small: number;
  /** The number of versions of one large node. */
  versions: number;
  /** From one node. */
  edges: number;
  vectors: number;
  /** The number of files of 8 MiB. */
  files: number;
  scopes: number;
}

export interface AuthorizedApp {
  app: string;
  authorization: string;
  credentials: Record<string, string>;
}

/** An account that is filled to the documented limits, with apps whose profiles are, and one of everything else. */
export class FullAccount {
  readonly tags: string[] = [];
  readonly tagNames: string[] = [];
  readonly unusedTags: string[] = [];
  readonly large: string[] = [];
  readonly small: string[] = [];
  /** Apps by the special part of their profile: `masking`, `listing`, `expression`; `hanging` is a stranger's. */
  readonly apps: Record<string, Record<string, string>> = {};
  things = {} as Things;
  /** The owner's export. */
  archive: Buffer = Buffer.alloc(0);

  private constructor(
    readonly owner: Somebody,
    readonly friend: Somebody,
    readonly sizes: Sizes,
    readonly mailbox: Mailbox | null,
  ) {}

  /** @param mailbox where letters of the service come in; null where it sends none */
  static async fill(origin: string, sizes: Sizes, mailbox: Mailbox | null): Promise<FullAccount> {
    const [owner, friend] = [await Somebody.register(origin), await Somebody.register(origin)];
    const account = new FullAccount(owner, friend, sizes, mailbox);
    const client = await owner.client();
    await account.makeNodes(client);
    await account.makeTags(client);
    await account.makeHistory(client);
    await account.makeEdges(client);
    await account.makeVectors(client);
    await account.makeApps();
    await account.makeOneOfEach(await owner.client());
    await account.synchronize();
    account.archive = ok(await (await owner.client()).get('/export')).bytes;
    return account;
  }

  /** A node, tag or whatever of this account's owner, made now; its id. */
  make(path: string, body: Json): Promise<string> {
    return this.owner.make(path, body);
  }

  async file(bytes: number): Promise<string> {
    const [body, headers] = multipart(randomBytes(bytes));
    return ok(await (await this.owner.client()).post('/raw-files', body, { headers })).body.id as string;
  }

  /** One of the largest, so far on its way that this can be done to it. */
  async proposal(number: number, verb: string): Promise<string> {
    const app = new Client(this.owner.origin, this.apps['listing']);
    const { id } = ok(await app.post('/proposals', largestProposal(this, number))).body as { id: string };
    if (!/^(approve|reject|apply|revert)$/.test(verb)) return id;
    ok(await app.patch(`/proposals/${id}`, { status: 'READY_FOR_APPROVAL' }));
    const owner = await this.owner.client();
    const before = verb === 'apply' ? ['approve'] : verb === 'revert' ? ['approve', 'apply'] : [];
    for (const step of before) ok(await owner.post(`/proposals/${id}/${step}`, {}));
    return id;
  }

  /** The names of the tags of the node of that number, as many as one may have. */
  readonly tagsOf = (number: number): string[] =>
    Array.from(
      { length: TAGS_OF_A_NODE },
      (_, i) => this.tagNames[(number * TAGS_OF_A_NODE + i) % LISTED] as string,
    );

  private async makeNodes(client: Client): Promise<void> {
    const { large, small } = this.sizes;
    this.tagNames.push(...Array.from({ length: LISTED }, (_, i) => `tag ${i} ${'n'.repeat(80)}`));
    const perBatch = Math.floor(BATCH_BYTES / NODE_BYTES);
    this.large.push(
      ...(await inBatches(client, large, perBatch, (number) => largeNode(number, this.tagsOf(number)))),
    );
    this.small.push(
      ...(await inBatches(client, small, BATCH, (number) => smallNode(number, this.tagsOf(number)))),
    );
  }

  /** Nodes that are gone leave tags behind that nothing carries. */
  private async makeTags(client: Client): Promise<void> {
    const unused = (number: number): Json =>
      smallNode(
        800_000 + number,
        Array.from({ length: TAGS_OF_A_NODE }, (_, i) => `unused ${number * TAGS_OF_A_NODE + i}`),
      );
    const node_ids = await inBatches(client, (LISTED + DELETED) / TAGS_OF_A_NODE, BATCH, unused);
    ok(await client.post('/nodes/bulk-delete', { node_ids }));
    for (let page = 1, total = 1; (page - 1) * 200 < total; page++) {
      const { body } = ok(await client.get(`/tags?per_page=200&page=${page}`));
      total = body.total as number;
      for (const { id, name } of body.tags as { id: string; name: string }[])
        (name.startsWith('unused') ? this.unusedTags : this.tags).push(id);
    }
  }

  private async makeHistory(client: Client): Promise<void> {
    const [hub] = this.large as [string];
    for (let version = 0; version < this.sizes.versions; version++) {
      const { title, value, metadata } = largeNode(1_000 + version);
      ok(await client.put(`/nodes/${hub}`, { title, value, metadata, agent_metadata: agentOf(version) }));
    }
  }

  private async makeEdges(client: Client): Promise<void> {
    const [hub] = this.large as [string];
    const all = [...this.small, ...this.large.slice(1)];
    for (let from = 0; from < Math.min(this.sizes.edges, all.length); from += 10)
      await Promise.all(
        all.slice(from, from + 10).map(async (to_node_id) =>
          ok(
            await client.post('/relationships', {
              from_node_id: hub,
              to_node_id,
              relationship_type: 'near',
              context: 'c'.repeat(10_000),
            }),
          ),
        ),
      );
  }

  private async makeVectors(client: Client): Promise<void> {
    const ids = this.small.slice(0, this.sizes.vectors);
    for (let from = 0; from < ids.length; from += BATCH) {
      const embeddings = ids.slice(from, from + BATCH).map((id, i) => ({ id, embedding: vector(from + i) }));
      ok(await client.put('/nodes/batch/embeddings', { embeddings }));
    }
  }

  private async makeApps(): Promise<void> {
    const ids = { tags: this.tags, unusedTags: this.unusedTags, nodes: this.small };
    const listed = {
      tags: this.tags.slice(0, LISTED),
      unusedTags: this.unusedTags.slice(0, LISTED),
      nodes: ids.nodes.slice(0, LISTED),
    };
    const profiles: Record<string, Json> = {
      masking: maskingProfile(),
      listing: listingProfile(listed),
      expression: expressionProfile(this.tagNames),
    };
    for (const [name, rules] of Object.entries(profiles)) {
      const profile = await this.make('/exposure-profiles', { name, ...rules });
      const { app, authorization, credentials } = await this.letIn(profile);
      this.apps[name] = credentials;
      if (name === 'masking') Object.assign(this.things, { profile, app, authorization });
    }
    const all = { template: 'transparent', name: 'hanging' };
    const transparent = await this.make('/exposure-profiles/from-template', all);
    this.apps['hanging'] = (await this.letIn(transparent, this.friend)).credentials;
  }

  /** An app that this account's owner has authorized. What it holds counts with other apps of its developer. */
  async letIn(exposure_profile_id: string, developer: Somebody = this.owner): Promise<AuthorizedApp> {
    const wish = { name: `app ${randomBytes(4).toString('hex')}`, client_level: 'L2' };
    const app = ok(
      await (await developer.client()).post('/apps', { ...wish, requested_permissions: everything }),
    ).body;
    const authorization = await this.make('/authorizations', { app_id: app.id, exposure_profile_id });
    const credentials = { 'X-API-Key': app.api_key as string, 'X-User-ID': this.owner.id };
    return { app: app.id as string, authorization, credentials };
  }

  private async makeOneOfEach(client: Client): Promise<void> {
    const [node, ...others] = this.large as [string, ...string[]];
    const [edge] = ok(await client.get('/relationships?limit=1')).body.relationships as { id: string }[];
    const group = await this.make('/groups', { name: 'club' });
    const theirs = await this.friend.make('/groups', { name: 'theirs' });
    const { body: incoming } = ok(await client.get('/auth/sessions'));
    Object.assign(this.things, {
      node,
      'to node': others[0] ?? node,
      tag: this.tags[0],
      'parent tag': this.tags[1],
      relationship: edge?.id,
      session: await this.make('/sessions', {}),
      version: '2',
      timestamp: '2999-01-01T00:00:00Z',
      key: await this.make(`/apps/${this.things.app}/keys`, { name: 'spare' }),
      user: this.friend.id,
      username: this.friend.username,
      email: this.owner.email,
      refresh_token: 'none',
      current_password: PASSWORD,
      'log-in': incoming.sessions[0].id,
      agent_id: AGENT,
      third_party_id: this.things.app,
      schema: await this.schema(),
      schema_uri: 'system:Goal',
      file: await this.files(),
      group,
      proposal: await this.proposal(0, 'diff'),
      delivery_id: await this.delivery(client),
      connection_id: await this.friend.make(`/groups/${theirs}/connections`, { target_group_id: group }),
      invitation_id: await this.make(`/groups/${group}/invitations`, { user_id: this.friend.id }),
      follow_id: await this.friend.make('/follows', { target_user_id: this.owner.id }),
      share_id: await this.make('/sharing', {
        shared_with_user_id: this.friend.id,
        scope: 'specific_nodes',
        node_ids: this.small.slice(0, LISTED),
      }),
    });
  }

  /** A look at it has a time limit, which a busy machine may miss. */
  private async schema(): Promise<string> {
    const deep = { name: 'deep', scope: 'private', private_to: 'user', json_schema: deepSchema() };
    const owner = await this.owner.client();
    for (let left = 10; ; left--) {
      const answer = await owner.post('/schemas', deep);
      if (answer.status === 201 || left === 0) return ok(answer).body.id as string;
    }
  }

  /** To nowhere. */
  private async delivery(client: Client): Promise<string> {
    const app_id = this.things.app;
    const hook = { app_id, webhook_url: 'http://127.0.0.1:9/', events: ['node.created', 'node.updated'] };
    ok(await client.post('/webhooks/subscribe', hook));
    return ok(await client.post(`/webhooks/subscription/test?app_id=${app_id}`)).body.delivery_id as string;
  }

  private async files(): Promise<string> {
    let id = '';
    for (let number = 0; number < this.sizes.files; number++) id = await this.file(8 * 1024 * 1024);
    return id;
  }

  /** Synchronizes the most scopes that are stored, each of which then has changes to report. */
  private async synchronize(): Promise<void> {
    const client = new Client(this.owner.origin, this.apps['listing']);
    for (const tag of this.tags.slice(0, this.sizes.scopes)) {
      const { body } = ok(await client.get(`/sync?ids_only=true&limit=1000&scope=tag:${tag}`));
      await client.get(`/sync?ids_only=true&scope=tag:${tag}&cursor=${encodeURIComponent(body.cursor)}`);
    }
  }
}

const AGENT = '0190aaaa-0000-7000-8000-000000000001';
const agentOf = (number: number): Json => ({ agent_id: AGENT, session_id: `run ${number % 5}` });

/** A file as the body of a request, and the header that goes with it. */
export function multipart(content: Buffer): [body: Buffer, headers: Record<string, string>] {
  const head = '--a-boundary\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--a-boundary--\r\n')]);
  return [body, { 'Content-Type': 'multipart/form-data; boundary=a-boundary' }];
}

async function inBatches(
  client: Client,
  count: number,
  perBatch: number,
  make: (number: number) => Json,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += perBatch) {
    const nodes = Array.from({ length: Math.min(perBatch, count - from) }, (_, i) => make(from + i));
    const { body } = ok(await client.post('/nodes/batch', { nodes }));
    ids.push(...(body.created as { id: string }[]).map(({ id }) => id));
  }
  return ids;
}
