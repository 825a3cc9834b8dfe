import { Injectable } from '@nestjs/common';
import { NodePresenter, type NodeSnapshot, type PastNodeDto, slicesOfShowing } from '../../graph/index.js';
import { shownInTurn } from '../../kernel/http/answers/page-within-bytes.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, AccessReports, type NodeFacts, sees, type ShownChanges } from '../../privacy/index.js';
import { shownAgentId } from '../domain/shown-agents.js';
import { changedAtShown } from '../domain/shown-times.js';
import { decidingFacts, type VersionRow } from '../infrastructure/history.queries.js';
import { type HistoryEntryDto, type TimelineEntryDto, type VersionDto } from './history.dto.js';

type States = ReturnType<typeof decidingFacts>;

/**
 * Versions as one caller is shown them: cut by today's profile like the node itself, and masked by rules that apply to
 * the version or to the node now (rules 3.14-3.16, 3.20).
 */
@Injectable()
export class HistoryPresenter {
  constructor(
    private readonly nodes: NodePresenter,
    private readonly accessReports: AccessReports,
  ) {}

  async entry(access: Access, row: VersionRow, slices = slicesOfShowing()): Promise<HistoryEntryDto> {
    this.accessReports.shown(access, { owner_id: access.ownerId, id: row.node_id });
    const states = decidingFacts(row);
    const changes = await this.changes(access, { row, slices }, states);
    const reasonStates = states.map((state) => ({ ...state, id: `${row.node_id} reason ${row.version}` }));
    const agentMetadata = {
      path: 'agent_metadata',
      value: bringsAgentMetadata(row) ? row.agent_metadata : null,
    };
    const reason = { path: 'value', value: row.reason };
    const shownReason = await access.exposure.exposeValueInSlices(reason, reasonStates, slices);
    const shownMetadata = await access.exposure.exposeValueInSlices(agentMetadata, states, slices);
    const snapshot =
      row.snapshot && (await this.snapshot(access, { snapshot: row.snapshot, slices }, states));
    return {
      version: row.version,
      changed_at: changedAtShown(access, row, states).toISOString(),
      change_type: actionShown(row.action, changes),
      // The reason is text about the node: it is shown as the node's value is.
      change_reason: (shownReason ?? null) as string | null,
      changed_by_type: row.changed_by_type,
      changed_by_user_id: row.changed_by_user_id,
      changed_by_app_id: row.changed_by_app_id,
      changed_by_agent_id: shownAgentId(access, row.changed_by_agent_id, states),
      proposal_id: row.proposal_id,
      agent_metadata: (shownMetadata ?? null) as Record<string, unknown> | null,
      changed_fields: changes,
      ...(snapshot === null ? {} : { snapshot }),
    };
  }

  /** The entries of a page, each shown when its turn comes; the versions of all snapshots are found together. */
  async *entries(
    access: Access,
    rows: readonly VersionRow[],
    slices: Slices,
  ): AsyncGenerator<HistoryEntryDto> {
    const snapshots = rows.flatMap(({ snapshot }) => snapshot ?? []);
    await this.nodes.stamp(access, snapshots, slices);
    yield* shownInTurn(rows, (row) => this.entry(access, row, slices));
  }

  async timelineEntry(access: Access, row: VersionRow, slices?: Slices): Promise<TimelineEntryDto> {
    return { node_id: row.node_id, ...(await this.entry(access, row, slices)) };
  }

  async version(access: Access, row: VersionRow): Promise<VersionDto> {
    return (await this.timelineEntry(access, row)) as VersionDto;
  }

  /**
   * The changed fields; empty if the version before is hidden, because any difference, and any equality, would reveal
   * part of it. To this caller the node begins here.
   */
  private async changes(
    access: Access,
    { row, slices }: { row: VersionRow; slices: Slices },
    [after, now]: States,
  ): Promise<ShownChanges> {
    if (row.before === null || row.changed_fields === null) return {};
    const before: NodeFacts = {
      id: row.node_id,
      tagIds: row.before.tag_ids,
      schemaId: row.before.schema_id,
      nodeType: row.before.node_type,
      createdAt: new Date(row.before.node_created_at),
    };
    if (!sees(access.nodes.read, before)) return {};
    return this.nodes.presentChanges(access, {
      changedFields: row.changed_fields,
      before,
      after,
      now,
      slices,
    });
  }

  private async snapshot(
    access: Access,
    { snapshot, slices }: { snapshot: NodeSnapshot; slices: Slices },
    [, now]: States,
  ): Promise<PastNodeDto> {
    await this.nodes.preparePast(access, snapshot, { now, slices });
    return this.nodes.present(access, snapshot, now) as unknown as PastNodeDto;
  }
}

/** True if the write brought the agent metadata: a node keeps it when others write later. */
const bringsAgentMetadata = ({ action, changed_fields, changed_by_type }: VersionRow): boolean =>
  action === 'created' ||
  changed_by_type === 'agent' ||
  (changed_fields !== null && 'agent_metadata' in changed_fields);

/** A change of tags is shown as such only to callers who may know the tags. */
const actionShown = (action: string, changes: ShownChanges): string =>
  /^tag_/.test(action) && !('tags' in changes) ? 'updated' : action;
