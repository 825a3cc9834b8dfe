import { type components } from '../../clients/typescript/src/schema.js';
import { type ClientInfo } from './oauth.js';
import { authorized } from './session.js';

type Schemas = components['schemas'];

export type Proposal = Schemas['ProposalDto'];
export type Diff = Schemas['ProposalDiffDto'];
export type Entry = Schemas['DiffEntryDto'];
export type FieldChange = Schemas['FieldDiffDto'];
export type Disclosure = Schemas['DisclosureDto'];
export type NotUndone = Schemas['NotUndoneDto'];
type Status = Proposal['status'];

/** The app that suggests, as far as the person knows it. */
export interface KnownApp {
  client: ClientInfo;
  isConnected: boolean;
}

/** A proposal with what it would change; null once nothing is left to decide. */
export interface Reviewed {
  proposal: Proposal;
  app: KnownApp | null;
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

/** The apps that the person has let in, now or before, by id. */
export async function appsById(): Promise<Map<string, KnownApp>> {
  const { data } = await authorized().GET('/api/v1/authorizations', { params: { query: { limit: 100 } } });
  const apps = new Map<string, KnownApp>();
  for (const { app_id, client, status } of data?.authorizations ?? [])
    apps.set(app_id, {
      client,
      isConnected: status === 'active' || apps.get(app_id)?.isConnected === true,
    });
  return apps;
}

export async function reviewed(proposal_id: string): Promise<Reviewed> {
  const path = { proposal_id };
  const [apps, { data }] = await Promise.all([
    appsById(),
    authorized().GET('/api/v1/proposals/{proposal_id}', { params: { path } }),
  ]);
  const proposal = data as Proposal;
  const app = apps.get(proposal.app_id) ?? null;
  if (DECIDED.has(proposal.status)) return { proposal, app, diff: null };
  const diff = await authorized().GET('/api/v1/proposals/{proposal_id}/diff', { params: { path } });
  return { proposal, app, diff: diff.data ?? null };
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

/** Undoes one that was applied. @returns the parts that stay */
export async function revert(proposal_id: string): Promise<NotUndone[]> {
  const { data } = await authorized().POST('/api/v1/proposals/{proposal_id}/revert', {
    params: { path: { proposal_id } },
  });
  return data?.not_undone ?? [];
}

/** The fields of an action that name notes which are there before and after it. */
const NAMING = ['node_id', 'target_node_id', 'from_node_id', 'to_node_id'];

/** The ids of the notes that an applied proposal made, and of those that it was about and that are still there. */
export function notesOf(proposal: Proposal): { created: string[]; changed: string[] } {
  const { result, actions, type, canonical_data } = proposal;
  const created = result?.created.node_ids ?? [];
  const refused = new Set(result?.errors.map(({ action_id }) => action_id));
  const steps = actions.length > 0 ? actions : [{ type, payload: canonical_data }];
  const named = steps.flatMap(({ id, type: kind, payload }, index) => {
    if (kind === 'DELETE_NODE' || refused.has(typeof id === 'string' ? id : `action-${index + 1}`)) return [];
    return NAMING.map((name) => (payload as Record<string, unknown> | null)?.[name]);
  });
  const ids = named.filter((id) => typeof id === 'string').map((id) => id.toLowerCase());
  return { created, changed: [...new Set(ids)].filter((id) => !created.includes(id)) };
}

/** The notes that are there, with their titles. */
export async function titlesOf(ids: readonly string[]): Promise<{ id: string; title?: string | null }[]> {
  if (ids.length === 0) return [];
  const body = { ids: ids.slice(0, 100), fields: ['title'] };
  return (await authorized().POST('/api/v1/nodes/lookup', { body })).data?.nodes ?? [];
}
