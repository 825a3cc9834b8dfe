import { type Answer, type Client } from '../client.js';
import { type TestUser, type World } from '../world.js';
import { letsIn, profile } from './nodes.js';

type Body = Record<string, unknown>;

/** The tag permissions of an app that may propose anything about everything. */
export const EVERY_VERB = {
  discover: 'all',
  read: 'all',
  propose: 'all',
  create: 'all',
  edit: 'all',
  delete: 'all',
} as const;

/** The words of a batch, whose actions are named a0, a1, and so on. */
export const batch = (...payloads: [type: string, payload: Body][]): Body => ({
  type: 'BATCH',
  actions: payloads.map(([type, payload], index) => ({ id: `a${index}`, type, payload })),
});

/** A proposal of this app; fails loudly when it is not made. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function proposed(app: Client, body: Body): Promise<any> {
  const made = await app.post('/proposals', { title: 'a proposal', ...body });
  if (made.status !== 201) throw new Error(`proposal: ${made.status} ${made.text}`);
  return made.body;
}

export const ready = (app: Client, id: string, rest: Body = {}): Promise<Answer> =>
  app.patch(`/proposals/${id}`, { status: 'READY_FOR_APPROVAL', ...rest });

/** Made, ready, approved; its id. */
export async function approved(user: Client, app: Client, body: Body, approval: Body = {}): Promise<string> {
  const { id } = await proposed(app, body);
  const offered = await ready(app, id);
  if (offered.status !== 200) throw new Error(`ready: ${offered.status} ${offered.text}`);
  const approving = await user.post(`/proposals/${id}/approve`, approval);
  if (approving.status !== 200) throw new Error(`approve: ${approving.status} ${approving.text}`);
  return id as string;
}

/** All the way; the answer of apply. */
export async function applied(user: Client, app: Client, body: Body, approval: Body = {}): Promise<Answer> {
  return user.post(`/proposals/${await approved(user, app, body, approval)}/apply`);
}

/** An app that may propose with these tags and read them. */
export const proposer = (
  world: World,
  user: TestUser,
  tags: string[] | 'all',
  rest: Body = {},
): Promise<Client> => letsIn(world, user, profile({ discover: tags, read: tags, propose: tags }, rest));
