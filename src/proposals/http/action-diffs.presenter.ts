import { Injectable } from '@nestjs/common';
import {
  isReadable,
  type JsonObject,
  type MergedEdge,
  type MovableEdge,
  type Node,
  OwnerEdits,
  RELATIONSHIP_FIELDS,
  RelationshipPresenter,
} from '../../graph/index.js';
import { BaseConflicts } from '../application/base-conflicts.js';
import { withDeltas } from '../domain/deltas.js';
import { EdgesSoFar } from '../domain/edge-steps.js';
import { fieldSources, namedEdge, namedNodes } from '../domain/named-things.js';
import { type Step } from '../domain/proposal-content.js';
import { ConflictPaths } from './conflict-paths.js';
import {
  appsAfter,
  connected,
  ENDS,
  type Entry,
  type Look,
  made,
  missing,
  nodeAt,
  nodeWords,
  stateOf,
  tagsAfter,
} from './diff-entries.js';
import { DiffNames } from './diff-names.presenter.js';
import { differing, diffsOfDeltas, fieldDiff } from './field-diffs.js';

/** The fields by which a reader recognizes a node that is added or removed. */
const TELLING = ['title', 'value', 'node_type', 'meaning_level', 'metadata', 'tags'];

/**
 * One action of a proposal compared with the current graph. Before: the stored state as the viewer is shown it, for the
 * user with the changes of the actions before. After: for the user the expected stored state; for the app only its own
 * words, because any value computed from hidden parts (a hash, a part) would confirm guesses.
 */
@Injectable()
export class ActionDiffs {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly conflicts: BaseConflicts,
    private readonly edges: RelationshipPresenter,
    private readonly names: DiffNames,
  ) {}

  /** The entries of one action: several for a merge. The nodes that it names must be in the look. */
  async entries(look: Look, step: Step): Promise<Entry[]> {
    switch (step.type) {
      case 'CREATE_NODE':
        return [made('node', nodeWords(look, step))];
      case 'CREATE_RELATIONSHIP':
        return [connected(look, step)];
      case 'UPDATE_NODE':
      case 'ADD_TAGS':
      case 'REMOVE_TAGS':
        return [await this.changed(look, step)];
      case 'DELETE_NODE':
        return [await this.deleted(look, step)];
      case 'MERGE_NODES':
        return this.merged(look, step);
      case 'UPDATE_RELATIONSHIP':
      case 'DELETE_RELATIONSHIP':
        return [await this.edge(look, step)];
    }
  }

  private async changed(look: Look, step: Step): Promise<Entry> {
    const { access, proposal, proposer } = look;
    const id = String(step.payload['node_id']).toLowerCase();
    const node = nodeAt(look, id);
    const words = proposal.record.prepared[step.id] ?? {};
    const { node: prepared } = words;
    if (node === undefined || prepared === undefined) return missing('node', id, 'update');
    const shown = await this.names.shown(look, node);
    const question = { node, prepared: words, proposer, slices: look.slices };
    const { fields: paths, deltas } = await this.conflicts.ofNode(access, step, question);
    const conflicts = new ConflictPaths(paths);
    const changes = access.isOwner
      ? diffsOfDeltas({ shown, after: withDeltas({ ...stateOf(look, node) }, deltas) }, deltas, conflicts)
      : appsAfter(shown, step, conflicts);
    const tags = Object.entries(tagsAfter(access, shown, prepared.tags)).map(([field, value]) =>
      fieldDiff(field, shown[field], value, conflicts.has(field)),
    );
    const fields = [...changes, ...tags];
    return { entity: 'node', change: 'update', entity_id: node.id, fields: differing(fields), error: null };
  }

  private async deleted(look: Look, step: Step): Promise<Entry> {
    const node = nodeAt(look, step.payload['node_id']);
    if (node === undefined) return this.gone(look, step.payload['node_id']);
    const prepared = look.proposal.record.prepared[step.id] ?? {};
    const { fields } = await this.conflicts.ofNode(look.access, step, { ...look, node, prepared });
    return this.gone(look, node.id, fields);
  }

  private async gone(look: Look, given: unknown, conflicts: readonly string[] = []): Promise<Entry> {
    const id = String(given).toLowerCase();
    const node = nodeAt(look, id);
    if (node === undefined) return missing('node', id, 'delete');
    const shown = await this.names.shown(look, node);
    const fields = [...new Set([...TELLING, ...conflicts])].map((field) =>
      fieldDiff(field, shown[field], null, conflicts.includes(field)),
    );
    return { entity: 'node', change: 'delete', entity_id: id, fields: differing(fields), error: null };
  }

  private async merged(look: Look, step: Step): Promise<Entry[]> {
    const { access, nodes, proposal } = look;
    const nodeIds = namedNodes(step);
    const [target, ...sources] = nodeIds.map((id) => nodeAt(look, id));
    const sourceIds = step.payload['source_node_ids'] as string[];
    if (target === undefined || sources.length < sourceIds.length || sources.includes(undefined)) {
      return [missing('node', String(step.payload['target_node_id']).toLowerCase(), 'merge')];
    }
    const shown = await this.names.shown(look, target);
    const others = await inTurn(sources as Node[], (source) => this.names.shown(look, source));
    const prepared = proposal.record.prepared[step.id] ?? {};
    const conflicts = await this.conflicts.ofMerge(access, step, { nodes, prepared });
    const chosen = [...fieldSources(step)].map(([field, from]) => {
      const taken = [shown, ...others].find(({ id }) => id === from);
      return fieldDiff(field, shown[field], taken?.[field], conflicts.get(target.id)?.includes(field));
    });
    const tags = new Set([shown, ...others].flatMap((node) => (node['tags'] ?? []) as string[]));
    const fields = [...chosen, ...('tags' in shown ? [fieldDiff('tags', shown['tags'], [...tags])] : [])];
    const entry: Entry = {
      entity: 'node',
      change: 'merge',
      entity_id: target.id,
      sources: await inTurn(sources as Node[], (source) => this.names.named(look, source)),
      fields: differing(fields),
      error: null,
    };
    const gone = await inTurn(sourceIds, (id) => this.gone(look, id, conflicts.get(id.toLowerCase())));
    const edges = look.edges ?? new EdgesSoFar();
    const merge = { targetId: target.id, sourceIds: new Set(nodeIds.slice(1)) };
    const moved = edges.merged(await this.edits.readableEdgesAt(access, nodeIds), merge);
    if (moved.length > look.room.edges) return [{ ...entry, error: 'VALIDATION_ERROR' }, ...gone];
    edges.expect(moved);
    look.room.edges -= moved.length;
    return [entry, ...gone, ...moved.map(movedEdge)];
  }

  private async edge({ access, proposal, slices }: Look, step: Step): Promise<Entry> {
    const id = namedEdge(step) ?? '';
    const change = step.type === 'DELETE_RELATIONSHIP' ? 'delete' : 'update';
    const edge = await this.edits.findEdge(access, id);
    if (edge === null || !isReadable(access, edge))
      return { ...missing('relationship', id, change), error: 'NOT_FOUND' };
    const shown = (await this.edges.present(access, edge, slices)) as unknown as JsonObject;
    const prepared = proposal.record.prepared[step.id] ?? {};
    const conflicts = await this.conflicts.ofEdge(access, edge, prepared);
    const isConflict = (field: string) => conflicts.includes(field);
    const words = (step.payload['changes'] ?? {}) as JsonObject;
    const after = access.isOwner ? ((prepared.edge ?? {}) as JsonObject) : words;
    const ends = ['from_node_id', 'to_node_id', ...RELATIONSHIP_FIELDS];
    const fields =
      change === 'delete'
        ? ends.map((field) => fieldDiff(field, shown[field], null, isConflict(field)))
        : RELATIONSHIP_FIELDS.filter((field) => field in after).map((field) =>
            fieldDiff(field, shown[field], after[field], isConflict(field)),
          );
    return { entity: 'relationship', change, entity_id: id, fields: differing(fields), error: null };
  }
}

const movedEdge = ({ edge, ends }: MergedEdge<MovableEdge>): Entry => ({
  entity: 'relationship',
  change: ends === null ? 'delete' : 'update',
  entity_id: edge.id,
  fields: differing(ENDS.map((end) => fieldDiff(end, edge[end], ends?.[end] ?? null))),
  error: null,
});

/** Runs one after the other, so that the cache for one is not displaced by the next. */
async function inTurn<T, R>(all: readonly T[], make: (one: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const one of all) made.push(await make(one));
  return made;
}
