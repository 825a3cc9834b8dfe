import { Injectable } from '@nestjs/common';
import { isSame } from '../../kernel/json-values.js';
import {
  discovers,
  type JsonObject,
  type Node,
  NODE_FIELDS,
  ShownVersions,
  tagMeant,
} from '../../graph/index.js';
import { type Access, Accesses } from '../../privacy/index.js';
import { conflictsOf, tagsConflict } from '../domain/deltas.js';
import { type PreparedNode, type PreparedStep } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { GraphChangesQueries } from '../infrastructure/graph-changes.queries.js';

/** What an action about a node is held against. */
interface Question {
  node: Node;
  /** The action's words; without a `node` it is about the node as a whole. */
  prepared: PreparedStep;
  /** See {@link BaseConflicts.proposerOf}; without it the stored numbers count. */
  proposer: Access | null;
}

/** Where a node has changed since an action's base_version in what the action changes, too (decisions 8.7). */
@Injectable()
export class BaseConflicts {
  constructor(
    private readonly changes: GraphChangesQueries,
    private readonly versions: ShownVersions,
    private readonly accesses: Accesses,
  ) {}

  /**
   * The access by whose numbers a proposal names versions: its app's. Null where it is let in no more, or names none. To
   * be asked before a unit of work, whose locks must not wait for it.
   */
  async proposerOf(viewer: Access, { steps, record }: Proposal): Promise<Access | null> {
    if (!viewer.isOwner) return viewer;
    const namesOne = steps.some(({ payload }) => typeof payload['base_version'] === 'number');
    return namesOne ? this.accesses.ofAbsentApp(record.app_id, viewer.ownerId) : null;
  }

  /**
   * Dotted paths; tags as `tags`. An action without base_version has none.
   * @param viewer an app: what it is not shown as it is stored is no conflict, and neither are tags that it does not know,
   *   or it would be told what changed there, and whether a guess at it is right
   */
  async of(viewer: Access, { payload }: Step, { node, prepared, proposer }: Question): Promise<string[]> {
    const given = payload['base_version'];
    if (typeof given !== 'number' || given >= node.version) return [];
    const named = { number: given, seen: prepared.version };
    const base = proposer === null ? given : await this.versions.versionOf(proposer, node, named);
    if (base >= node.version) return [];
    const then = await this.changes.nodeAt(viewer.ownerId, node.id, base);
    if (then === null) return [];
    if (prepared.node === undefined) return changedWhole(viewer, then, node);
    const conflicts = conflictsOf(prepared.node.deltas, then, node.record).filter(
      (path) => viewer.isOwner || !viewer.exposure.touches(path),
    );
    return this.meetsTags(viewer, prepared.node, { then, node }) ? [...conflicts, 'tags'] : conflicts;
  }

  private meetsTags(
    viewer: Access,
    { tags: { added, removed } }: PreparedNode,
    { then, node }: { then: JsonObject; node: Node },
  ): boolean {
    if (added.length + removed.length === 0) return false;
    const wanted = { added: added.map((name) => tagMeant(viewer, name)), removed };
    return tagsConflict(wanted, knownTags(viewer, then), knownTags(viewer, node.record));
  }
}

function changedWhole(viewer: Access, then: JsonObject, { record }: Node): string[] {
  const isShown = (field: string) =>
    viewer.isOwner || (field !== 'graph_view' && !viewer.exposure.touches(field));
  const fields = NODE_FIELDS.filter(
    (field) => isShown(field) && !isSame(then[field] ?? null, record[field as keyof typeof record]),
  );
  const isRetagged = !isSame(knownTags(viewer, then).sort(), knownTags(viewer, record).sort());
  return isRetagged && isShown('tags') ? [...fields, 'tags'] : fields;
}

const knownTags = (viewer: Access, { tag_ids: ids }: { tag_ids?: unknown }): string[] =>
  ((ids ?? []) as string[]).filter((id) => viewer.isOwner || discovers(viewer, id));
