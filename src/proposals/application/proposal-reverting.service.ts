import { type ChangedFields } from '../../kernel/change-log/changed-fields.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { isFaultOfPart } from '../../kernel/errors/domain-error.js';
import { isSame } from '../../kernel/json/json-values.js';
import { pathName } from '../../kernel/path-names.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { requestContext } from '../../kernel/request-context.js';
import { type JsonObject, type Node, OwnerEdits, type SchemaChecks } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { type Delta, fieldDeltas, replacedAt, valueAt, withDeltas } from '../domain/deltas.js';
import { type Proposal, proposalLogged } from '../domain/proposal.js';
import { type GraphChange, GraphChangesQueries } from '../infrastructure/graph-changes.queries.js';
import { ProposalsRepository } from '../infrastructure/proposals.repository.js';
import { proposalNotFound } from './proposals.service.js';

/** A change that stays, with the reason. */
interface NotUndone {
  entity: GraphChange['entity'];
  id: string;
  reason: string;
  fields?: string[];
}

export interface Reversion {
  proposal: Proposal;
  undone: number;
  notUndone: NotUndone[];
}

/** Thrown with the reason that a change cannot be reverted; the others still can. */
class Stays extends Error {
  constructor(
    reason: string,
    readonly fields?: string[],
  ) {
    super(reason);
  }
}

const CHANGED = 'It has changed since';

/** A reversion for one owner. */
interface Undoing {
  owner: Access;
  checks: SchemaChecks;
  /** The ids of nodes and relationships that others have changed since: decided before the undo itself changes any. */
  touched: ReadonlySet<string>;
}

/**
 * Reverts an applied proposal, the last change first, by writing new versions; history stays. Later changes
 * by others are left in place, field by field, and reported.
 */
@Injectable()
export class ProposalReverting {
  constructor(
    private readonly proposals: ProposalsRepository,
    private readonly graphChanges: GraphChangesQueries,
    private readonly edits: OwnerEdits,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND, INVALID_STATE_TRANSITION */
  revert(owner: Access, id: string): Promise<Reversion> {
    return this.edits.unit(owner, async (checks) => {
      const current = await this.proposals.lock(owner.ownerId, id);
      if (current === null) throw proposalNotFound();
      const { proposal, event } = current.reverted(this.clock.now());
      const context = requestContext.current();
      const actor = { ...context.actor, proposalId: id };
      const { undone, notUndone } = await requestContext.run({ ...context, actor }, () =>
        this.undoAll({ owner, checks }, id),
      );
      await this.proposals.update(proposal);
      const { owner_id: ownerId, version } = proposal.record;
      const snapshot = proposalLogged(proposal);
      this.changes.append({ ownerId, entity: 'proposal', entityId: id, action: event, version, snapshot });
      return { proposal, undone, notUndone };
    });
  }

  private async undoAll(
    { owner, checks }: Pick<Undoing, 'owner' | 'checks'>,
    id: string,
  ): Promise<Pick<Reversion, 'undone' | 'notUndone'>> {
    const changes = await this.graphChanges.ofProposal(owner.ownerId, id);
    const left = new Map(changes.map(({ entity_id, version }) => [entity_id, version]));
    const idsOf = (kind: GraphChange['entity']) =>
      changes.filter(({ entity }) => entity === kind).map(({ entity_id }) => entity_id);
    if (changes.some(({ entity }) => entity === 'tag')) await this.edits.lockTags(owner);
    const nodes = await this.edits.lock(owner, idsOf('node'));
    const edges = await this.edits.lockEdges(owner, idsOf('relationship'));
    const touched = [...nodes.values(), ...edges.values()]
      .filter(({ id, version }) => version !== left.get(id))
      .map(({ id }) => id);
    const undoing = { owner, checks, touched: new Set(touched) };
    const notUndone: NotUndone[] = [];
    let undone = 0;
    for (const change of changes.reverse()) {
      try {
        if (await this.units.savepoint(() => this.undo(undoing, change))) undone++;
      } catch (error) {
        if (!(error instanceof Stays || isFaultOfPart(error))) throw error;
        const fields = error instanceof Stays && error.fields ? { fields: error.fields } : {};
        notUndone.push({ entity: change.entity, id: change.entity_id, reason: error.message, ...fields });
        if ('fields' in fields) undone += await this.undoRest(undoing, change);
      }
    }
    return { undone, notUndone };
  }

  /** Undoes the fields of a change that have not changed since. */
  private async undoRest(undoing: Undoing, change: GraphChange): Promise<number> {
    return (await this.units.savepoint(() => this.undo(undoing, change, true))) ? 1 : 0;
  }

  /** @returns true if there was anything to undo */
  private undo(undoing: Undoing, change: GraphChange, isPartial = false): Promise<boolean> {
    if (change.entity === 'node') return this.undoNode(undoing, change, isPartial);
    return change.entity === 'relationship'
      ? this.undoEdge(undoing, change, isPartial)
      : this.undoTag(undoing, change);
  }

  private async undoNode(undoing: Undoing, change: GraphChange, isPartial: boolean): Promise<boolean> {
    const { owner, checks, touched } = undoing;
    const node = (await this.edits.lock(owner, [change.entity_id])).get(change.entity_id);
    if (node === undefined) return false;
    if (change.action === 'created') return this.unmake(undoing, node);
    if (change.action === 'deleted') {
      if (!node.isDeleted) return false;
      if (touched.has(node.id)) throw new Stays(CHANGED);
      await this.edits.restore(owner, node);
      return true;
    }
    if (node.isDeleted) throw new Stays('It is deleted');
    const { body, stuck } = fieldsBack(node.record, change.changed_fields ?? {});
    if (stuck.length > 0 && !isPartial) throw new Stays(CHANGED, stuck);
    await this.edits.putBack(owner, node, {
      body,
      tagIds: tagsBack(node, change.changed_fields),
      takesBack: change.version,
      checks,
    });
    return true;
  }

  private async unmake({ owner, touched }: Undoing, node: Node): Promise<boolean> {
    if (node.isDeleted) return false;
    if (touched.has(node.id)) throw new Stays(CHANGED);
    if (await this.edits.isConnected(owner, node.id)) throw new Stays('It has relationships of its own now');
    await this.edits.delete(owner, node);
    return true;
  }

  private async undoEdge(
    { owner, touched }: Undoing,
    change: GraphChange,
    isPartial: boolean,
  ): Promise<boolean> {
    const id = change.entity_id;
    const edge = (await this.edits.lockEdges(owner, [id])).get(id);
    if (edge === undefined) return false;
    if (change.action === 'created' || change.action === 'deleted') {
      const isThere = edge.deleted_at === null;
      if (isThere !== (change.action === 'created')) return false;
      if (touched.has(id)) throw new Stays(CHANGED);
      if (isThere) await this.edits.deleteEdge(owner, id);
      else await this.edits.restoreEdge(edge);
      return true;
    }
    if (edge.deleted_at !== null) throw new Stays('It is deleted');
    const { body, stuck } = fieldsBack(edge as unknown as JsonObject, change.changed_fields ?? {});
    if (stuck.length > 0 && !isPartial) throw new Stays(CHANGED, stuck);
    await this.edits.putEdgeBack(edge, body);
    return true;
  }

  private async undoTag({ owner }: Undoing, { entity_id: id, action }: GraphChange): Promise<boolean> {
    if (action !== 'created') return false;
    if ((await this.edits.tagsInUse(owner, [id])).has(id)) throw new Stays('It is in use');
    await this.edits.deleteTags(owner, [id]);
    return true;
  }
}

/** The old values of the fields that are still as the change left them; the others, by the names of their paths. */
function fieldsBack(current: JsonObject, changed: ChangedFields): { body: JsonObject; stuck: string[] } {
  const fields = Object.entries(changed).filter(([field]) => field !== 'tag_ids');
  const stuck: string[] = [];
  const body = fields.flatMap(([field, { old, new: left }]) => {
    const back = fieldDeltas(left, old, field);
    const before = { [field]: left };
    const mine: Delta[] = [];
    for (const delta of back) {
      if (isSame(replacedAt(current, delta.path), valueAt(before, delta.path))) mine.push(delta);
      else stuck.push(pathName(delta.path));
    }
    return mine.length === 0 ? [] : [[field, withDeltas(current, mine)[field]] as const];
  });
  return { body: Object.fromEntries(body), stuck };
}

/**
 * The tags without those added and with those removed; exactly as before if the node has not been retagged
 * since.
 */
function tagsBack({ tagIds }: Node, changed: ChangedFields | null): readonly string[] | undefined {
  const tags = changed?.['tag_ids'] as { old: string[]; new: string[] } | undefined;
  if (tags === undefined) return undefined;
  const kept = tagIds.filter((id) => tags.old.includes(id) || !tags.new.includes(id));
  const back = [...kept, ...tags.old.filter((id) => !tags.new.includes(id) && !tagIds.includes(id))];
  return back.length === tags.old.length && tags.old.every((id) => back.includes(id)) ? tags.old : back;
}
