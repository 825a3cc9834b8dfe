import { type components } from '../../clients/typescript/src/schema.js';
import { type ClientInfo } from './oauth.js';
import { authorized } from './session.js';

type Schemas = components['schemas'];

export type Proposal = Schemas['ProposalDto'];
export type Diff = Schemas['ProposalDiffDto'];
export type Entry = Schemas['DiffEntryDto'];
export type FieldChange = Schemas['FieldDiffDto'];
export type Disclosure = Schemas['DisclosureDto'];
type Status = Proposal['status'];

/** A proposal with what it would change; null once nothing is left to decide. */
export interface Reviewed {
  proposal: Proposal;
  client: ClientInfo | null;
  diff: Diff | null;
}

export const WAITING = 'READY_FOR_APPROVAL';

const DECIDED: ReadonlySet<Status> = new Set(['APPLIED', 'REJECTED']);

export async function listed(query: { status?: Status; limit: number; offset: number }) {
  const { data } = await authorized().GET('/api/v1/proposals', { params: { query } });
  return { all: data?.proposals ?? [], total: data?.total ?? 0 };
}

/**
 * The number of proposals that wait. It is asked for behind the last one: the service takes a proposal that it has sent
 * for one that the person has seen (rule 8.6b).
 */
export async function countWaiting(): Promise<number> {
  return (await listed({ status: WAITING, limit: 1, offset: Number.MAX_SAFE_INTEGER })).total;
}

/** The apps that the person has let in, by id. */
export async function clientsById(): Promise<Map<string, ClientInfo>> {
  const { data } = await authorized().GET('/api/v1/authorizations', { params: { query: { limit: 100 } } });
  return new Map((data?.authorizations ?? []).map(({ app_id, client }) => [app_id, client]));
}

export async function reviewed(proposal_id: string): Promise<Reviewed> {
  const path = { proposal_id };
  const [clients, { data }] = await Promise.all([
    clientsById(),
    authorized().GET('/api/v1/proposals/{proposal_id}', { params: { path } }),
  ]);
  const proposal = data as Proposal;
  const client = clients.get(proposal.app_id) ?? null;
  if (DECIDED.has(proposal.status)) return { proposal, client, diff: null };
  const diff = await authorized().GET('/api/v1/proposals/{proposal_id}/diff', { params: { path } });
  return { proposal, client, diff: diff.data ?? null };
}

/** One entry with its values, which a full answer leaves out. */
export async function entryOf(proposal_id: string, { action_id, entity_id }: Entry): Promise<Entry | null> {
  const query = { action_id, ...(entity_id === null ? {} : { entity_id }) };
  const { data } = await authorized().GET('/api/v1/proposals/{proposal_id}/diff', {
    params: { path: { proposal_id }, query },
  });
  return data?.entries[0] ?? null;
}

export async function approve(proposal_id: string, expected_revision: number): Promise<void> {
  await authorized().POST('/api/v1/proposals/{proposal_id}/approve', {
    params: { path: { proposal_id } },
    body: { expected_revision, apply: true },
  });
}

/** Applies one that was approved elsewhere. */
export async function apply(proposal_id: string): Promise<void> {
  await authorized().POST('/api/v1/proposals/{proposal_id}/apply', { params: { path: { proposal_id } } });
}

export async function reject(proposal_id: string, reason: string): Promise<void> {
  await authorized().POST('/api/v1/proposals/{proposal_id}/reject', {
    params: { path: { proposal_id } },
    body: { reason: reason === '' ? null : reason },
  });
}
