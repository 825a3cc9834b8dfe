import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { isSame } from '../../kernel/json/json-values.js';
import { type JsonObject } from '../../graph/index.js';
import { type Prepared } from './prepared.js';
import { LIMITS, type ProposalContent, type ProposalType, type Step } from './proposal-content.js';
import { type ApplyResult, NOT_APPLIED } from './apply-result.js';
import { type ProposalStatus, statusAfter } from './proposal-status.js';
import { refuseContent, stepsOf } from './read-steps.js';

/** A proposal as it is stored, in the names of the wire; `owner_id` is its user. */
export interface ProposalRecord extends ProposalContent {
  owner_id: string;
  id: string;
  app_id: string;
  title: string;
  description: string | null;
  type: ProposalType;
  status: ProposalStatus;
  graph_view: 'identity' | 'neutral';
  raw_data: JsonObject | null;
  /** The meaning of the app's words for the nodes as it was shown them; never shown to anybody. */
  prepared: Prepared;
  /** Null: all. */
  approved_actions: readonly string[] | null;
  /** A digest of what the approved part shows to apps; null: nothing. Never shown to anybody. */
  disclosed: string | null;
  revision: number;
  version: number;
  message: string | null;
  rejection_reason: string | null;
  result: ApplyResult | null;
  created_at: Date;
  updated_at: Date;
  reviewed_at: Date | null;
  applied_at: Date | null;
  reverted_at: Date | null;
}

export type ProposalDraft = Pick<ProposalRecord, 'type'> & { title?: string | null } & Partial<
    Pick<ProposalRecord, 'description' | 'graph_view' | 'raw_data' | keyof ProposalContent>
  >;

/** The events of a proposal; its app receives the first six (rule 8.8). */
type ProposalEvent =
  'created' | 'ready' | 'approved' | 'rejected' | 'applied' | 'failed' | 'revised' | 'withdrawn' | 'reverted';

export interface ProposalStep {
  proposal: Proposal;
  event: ProposalEvent;
}

export interface Enrichment {
  content: Partial<ProposalContent>;
  /** The status that the app requests; undefined leaves it to the rules. */
  status: 'PENDING' | 'READY_FOR_APPROVAL' | undefined;
}

export interface Approval {
  approved?: readonly string[];
  rejected?: readonly string[];
  expectedRevision?: number;
  /** The revision that the user was last shown; null: none. */
  shownRevision: number | null;
  message?: string | null;
}

/** One version of a proposal. Immutable. */
export class Proposal {
  private constructor(readonly record: Readonly<ProposalRecord>) {}

  static of(record: ProposalRecord): Proposal {
    return new Proposal(record);
  }

  /** @throws VALIDATION_ERROR for content without the form of its type */
  static submit(
    draft: ProposalDraft,
    { ownerId, appId, id, at }: { ownerId: string; appId: string; id: string; at: Date },
  ): ProposalStep {
    const record: ProposalRecord = {
      owner_id: ownerId,
      id,
      app_id: appId,
      title: draft.title ?? titleOf(draft),
      description: draft.description ?? null,
      type: draft.type,
      status: 'PENDING',
      graph_view: draft.graph_view ?? 'identity',
      raw_data: draft.raw_data ?? null,
      canonical_data: draft.canonical_data ?? null,
      tags: draft.tags ?? [],
      entity_tags: draft.entity_tags ?? null,
      reasoning_metadata: draft.reasoning_metadata ?? null,
      actions: draft.actions ?? [],
      prepared: {},
      approved_actions: null,
      disclosed: null,
      revision: 1,
      version: 1,
      message: null,
      rejection_reason: null,
      result: null,
      created_at: at,
      updated_at: at,
      reviewed_at: null,
      applied_at: null,
      reverted_at: null,
    };
    refuseContent(record.type, record);
    return { proposal: new Proposal(record), event: 'created' };
  }

  get id(): string {
    return this.record.id;
  }

  get status(): ProposalStatus {
    return this.record.status;
  }

  /** All steps of the proposal. */
  get steps(): Step[] {
    return stepsOf(this.record.type, this.record);
  }

  /** The ids of the steps that are equal in an earlier revision. */
  unchangedSince(earlier: Proposal): ReadonlySet<string> {
    const before = new Map(earlier.steps.map(({ id, type, payload }) => [id, { type, payload }]));
    const unchanged = this.steps.filter(({ id, type, payload }) => isSame(before.get(id), { type, payload }));
    return new Set(unchanged.map(({ id }) => id));
  }

  /** The proposal as its user decides on it: approved in part, or as a whole while it can be approved. */
  get reviewed(): Proposal {
    return this.status === 'APPROVED' ? this : new Proposal({ ...this.record, approved_actions: null });
  }

  /** The steps that the user has approved. */
  get approvedSteps(): Step[] {
    const { approved_actions: approved } = this.record;
    return this.steps.filter(({ id }) => approved === null || approved.includes(id));
  }

  /** The agent that prepared it, as declared by the app. */
  get agentId(): string | null {
    const agentId = this.record.reasoning_metadata?.['agent_id'];
    return isId(agentId) ? agentId.toLowerCase() : null;
  }

  /**
   * The proposal with other content, another status, or both. Changed content makes a revision, which is not
   * ready unless the app declares it again (rule 8.5).
   * @returns null when nothing changes
   * @throws INVALID_STATE_TRANSITION, VALIDATION_ERROR
   */
  enrich({ content, status }: Enrichment, at: Date): ProposalStep | null {
    const given = Object.entries(content).filter(([, value]) => value !== undefined);
    const changed = given.filter(
      ([field, value]) => !isSame(this.record[field as keyof ProposalContent], value),
    );
    statusAfter(this.status, 'revise');
    const isRevised = changed.length > 0;
    const fallback = isRevised ? statusAfter(this.status, 'revise') : this.status;
    const next = status === 'READY_FOR_APPROVAL' ? statusAfter(this.status, 'offer') : (status ?? fallback);
    if (!isRevised && next === this.status) return null;
    const revision = this.record.revision + (isRevised ? 1 : 0);
    const proposal = this.next({ ...Object.fromEntries(changed), status: next, revision }, at);
    if (isRevised) refuseContent(this.record.type, proposal.record);
    return { proposal, event: next === 'READY_FOR_APPROVAL' ? 'ready' : 'revised' };
  }

  /** The same version with the app's words resolved. */
  withPrepared(prepared: Prepared): Proposal {
    return new Proposal({ ...this.record, prepared });
  }

  /** The same version with the app's words read again: if they mean something else than before, it is a new revision. */
  reread(prepared: Prepared, before: Proposal): Proposal {
    const stored = parseJson(JSON.stringify(prepared));
    const isNew = this.record.revision === before.record.revision && !isSame(stored, before.record.prepared);
    return new Proposal({ ...this.record, prepared, revision: this.record.revision + (isNew ? 1 : 0) });
  }

  /** The same version with what its approved part shows to apps. */
  withDisclosed(disclosed: string | null): Proposal {
    return new Proposal({ ...this.record, disclosed });
  }

  /**
   * @throws INVALID_STATE_TRANSITION, REVISION_CONFLICT, VALIDATION_ERROR for actions that it does not have
   */
  approve({ approved, rejected, message, ...reviewed }: Approval, at: Date): ProposalStep {
    const status = statusAfter(this.status, 'approve');
    this.refuseUnseen(reviewed);
    const approved_actions = this.chosen(approved, rejected);
    const given = { status, approved_actions, message: message ?? null, reviewed_at: at, result: null };
    return { proposal: this.next(given, at), event: 'approved' };
  }

  /** @throws INVALID_STATE_TRANSITION */
  reject(reason: string | null, at: Date): ProposalStep {
    const status = statusAfter(this.status, 'reject');
    return {
      proposal: this.next({ status, rejection_reason: reason, reviewed_at: at }, at),
      event: 'rejected',
    };
  }

  /** @throws PROPOSAL_NOT_APPROVED */
  requireApproved(): void {
    statusAfter(this.status, 'succeed');
  }

  /** The result of applying; a proposal of which nothing could be applied has failed (rule 8.7). */
  applied(result: ApplyResult, { isFailed, at }: { isFailed: boolean; at: Date }): ProposalStep {
    const status = statusAfter(this.status, isFailed ? 'fail' : 'succeed');
    const proposal = this.next({ status, result, ...(isFailed ? {} : { applied_at: at }) }, at);
    return { proposal, event: isFailed ? 'failed' : 'applied' };
  }

  /** @throws INVALID_STATE_TRANSITION when it is not applied, or already reverted */
  reverted(at: Date): ProposalStep {
    const status = statusAfter(this.status, 'revert');
    if (this.record.reverted_at !== null) {
      throw new DomainError('INVALID_STATE_TRANSITION', 'This proposal has already been reverted');
    }
    return { proposal: this.next({ status, reverted_at: at }, at), event: 'reverted' };
  }

  /** Its last version. @throws INVALID_STATE_TRANSITION */
  withdraw(at: Date): ProposalStep {
    statusAfter(this.status, 'withdraw');
    return { proposal: this.next({}, at), event: 'withdrawn' };
  }

  /**
   * Refuses an unseen revision. An approval that names no revision means the one that the user was last
   * shown, or the first, which has replaced nothing.
   */
  private refuseUnseen({ expectedRevision, shownRevision }: Approval): void {
    const { revision } = this.record;
    if ((expectedRevision ?? shownRevision ?? 1) === revision) return;
    const said =
      expectedRevision === undefined
        ? `The proposal was revised and you have not been shown revision ${revision}: read it or its diff again`
        : `The proposal is at revision ${revision}, not ${expectedRevision}`;
    throw new DomainError('REVISION_CONFLICT', said, { revision });
  }

  private next(given: Partial<ProposalRecord>, at: Date): Proposal {
    return new Proposal({ ...this.record, ...given, version: this.record.version + 1, updated_at: at });
  }

  private chosen(approved?: readonly string[], rejected?: readonly string[]): readonly string[] | null {
    if (approved === undefined && rejected === undefined) return null;
    const ids = this.steps.map(({ id }) => id);
    const unknown = (field: string, given: readonly string[] = []) =>
      given.flatMap((id) =>
        ids.includes(id) ? [] : [{ field, message: `${id} is no action of this proposal` }],
      );
    const errors = [...unknown('approved_actions', approved), ...unknown('rejected_actions', rejected)];
    const chosen = ids.filter((id) => (approved?.includes(id) ?? true) && !rejected?.includes(id));
    const both = approved?.some((id) => rejected?.includes(id)) ?? false;
    if (both) errors.push({ field: 'rejected_actions', message: 'must not name an action that is approved' });
    else if (errors.length === 0 && chosen.length === 0) {
      errors.push({
        field: 'approved_actions',
        message: 'must leave an action; to approve none, reject the proposal',
      });
    }
    if (errors.length > 0) throw DomainError.validations(errors);
    return chosen;
  }
}

/** The proposal as its user sees it (rule 8.1). */
export function proposalWire({ record }: Proposal): JsonObject {
  return {
    id: record.id,
    app_id: record.app_id,
    user_id: record.owner_id,
    title: record.title,
    description: record.description,
    type: record.type,
    status: record.status,
    graph_view: record.graph_view,
    raw_data: record.raw_data,
    canonical_data: record.canonical_data,
    tags: record.tags,
    entity_tags: record.entity_tags,
    reasoning_metadata: record.reasoning_metadata,
    actions: record.actions,
    revision: record.revision,
    message: record.message,
    rejection_reason: record.rejection_reason,
    result: record.result,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    reviewed_at: record.reviewed_at?.toISOString() ?? null,
    applied_at: record.applied_at?.toISOString() ?? null,
    reverted_at: record.reverted_at?.toISOString() ?? null,
  };
}

/**
 * The proposal in the change log, for all readers of events. The reason that an action was not applied
 * depends on the viewer and is left out: the proposal itself shows it.
 */
export function proposalLogged(proposal: Proposal): JsonObject {
  const { result } = proposal.record;
  if (result === null) return proposalWire(proposal);
  const errors = result.errors.map(({ action_id, type }) => ({
    action_id,
    type,
    code: NOT_APPLIED,
    message: 'This action was not applied',
  }));
  return { ...proposalWire(proposal), result: { ...result, errors } };
}

/**
 * The title of a proposal without one: that of the node that it makes, else its type, such as `Merge nodes`.
 */
function titleOf({ canonical_data, type }: ProposalDraft): string {
  const proposed = canonical_data?.['title'];
  if (typeof proposed === 'string' && proposed.trim() !== '')
    return [...proposed].slice(0, LIMITS.title).join('');
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
