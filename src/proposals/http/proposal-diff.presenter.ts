import { Injectable } from '@nestjs/common';
import {
  isReadable,
  type JsonObject,
  lookAlikesIn,
  mergedEdges,
  type Node,
  NodePresenter,
  OwnerEdits,
  RELATIONSHIP_FIELDS,
  RelationshipPresenter,
  slicesOfShowing,
  type WireNode,
} from '../../graph/index.js';
import { type Access, sees } from '../../privacy/index.js';
import { BaseConflicts } from '../application/base-conflicts.js';
import { ProposalDisclosures } from '../application/proposal-disclosures.service.js';
import { renewing, withDeltas } from '../domain/deltas.js';
import { fieldSources, namedEdge, namedNodes } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { ConflictPaths } from './conflict-paths.js';
import {
  appsAfter,
  connected,
  type Entry,
  type Look,
  made,
  missing,
  nodeWords,
  tagsAfter,
  titleOfRef,
} from './diff-entries.js';
import { presentDisclosures } from './disclosures.presenter.js';
import { differing, diffsOfDeltas, fieldDiff } from './field-diffs.js';
import { warningsOf } from './unseen-warnings.js';
import { type DiffEntryDto, type NamedNodeDto, type ProposalDiffDto } from './proposal-review.dto.js';

/** The nodes whose names are looked up at a time: they are loaded with their content. */
const NAMED_AT_ONCE = 32;

/** Fields that hold the id of a node. */
const ENDS = ['from_node_id', 'to_node_id'] as const;
/** The statuses with a diff: one of an applied or rejected proposal has no use. */
const OPEN: readonly string[] = ['PENDING', 'READY_FOR_APPROVAL', 'APPROVED', 'FAILED'];

/** The fields by which a reader recognizes a node that is added or removed. */
const TELLING = ['title', 'value', 'node_type', 'meaning_level', 'metadata', 'tags'];

/**
 * A proposal compared with the current graph. Before: the stored state as the viewer is shown it. After: for
 * the user the expected stored state; for the app only its own words, because any value computed from hidden
 * parts (a hash, a part) would confirm guesses.
 */
@Injectable()
export class ProposalDiffPresenter {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly conflicts: BaseConflicts,
    private readonly presenter: NodePresenter,
    private readonly edges: RelationshipPresenter,
    private readonly disclosures: ProposalDisclosures,
  ) {}

  async present(access: Access, proposal: Proposal): Promise<ProposalDiffDto> {
    const { steps } = proposal;
    const found = await this.edits.look(access, steps.flatMap(namedNodes));
    const proposer = await this.conflicts.proposerOf(access, proposal);
    const slices = slicesOfShowing();
    const look = { access, proposal, proposer, nodes: readableOf(access, found), slices };
    await this.presenter.stamp(
      access,
      [...look.nodes.values()].map(({ record }) => record),
      slices,
    );
    const entries: DiffEntryDto[] = [];
    for (const step of steps) {
      for (const entry of await this.entries(look, step)) {
        entries.push({ action_id: step.id, type: step.type, title: null, ...entry });
      }
    }
    await this.nameThings(look, entries);
    const conflicts = entries.flatMap(({ fields }) => fields).filter(({ conflict }) => conflict).length;
    const { id, status, revision } = proposal.record;
    const warnings = warningsOf(entries, 'entries');
    const diff = { proposal_id: id, status, revision, entries, conflicts, warnings };
    if (!access.isOwner) return diff;
    const isOpen = OPEN.includes(status);
    return {
      ...diff,
      confusable_tags: await confusableTags(access, entries),
      ...presentDisclosures(isOpen ? await this.disclosures.of(access, proposal) : NOTHING_DISCLOSED),
    };
  }

  /**
   * Replaces ids of nodes and schemas by their names, and adds a title to each entry, as far as the viewer
   * sees them.
   */
  private async nameThings(look: Look, entries: DiffEntryDto[]): Promise<void> {
    const { access, nodes, proposal } = look;
    const fields = entries.flatMap((entry) => entry.fields);
    const idsIn = (names: readonly string[]) =>
      fields
        .filter(({ field }) => names.includes(field))
        .flatMap(({ before, after }) => [before, after])
        .filter((id) => typeof id === 'string');
    const ends = await this.namedNodes(look, idsIn(ENDS));
    const schemas = await this.edits.schemaNames(access, idsIn(['schema_id']));
    const named = async (field: string, value: unknown): Promise<unknown> => {
      if (typeof value !== 'string') return value;
      const id = value.toLowerCase();
      if (field === 'schema_id') return schemas.has(id) ? { id, name: schemas.get(id) } : value;
      if (field.endsWith('_ref')) return { ref: value, title: titleOfRef(proposal, value) };
      return (ENDS.some((end) => end === field) ? ends.get(id) : undefined) ?? value;
    };
    for (const field of fields) {
      field.before = await named(field.field, field.before);
      field.after = await named(field.field, field.after);
    }
    for (const entry of entries) {
      const node = entry.entity === 'node' ? nodes.get(entry.entity_id ?? '') : undefined;
      entry.title = node ? (await this.nodeNamed(look, node)).title : null;
    }
  }

  /** The names of nodes that the viewer can read, by id. Few of them are loaded at a time. */
  private async namedNodes(look: Look, ids: readonly string[]): Promise<Map<string, NamedNodeDto>> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const named = new Map<string, NamedNodeDto>();
    for (let from = 0; from < wanted.length; from += NAMED_AT_ONCE) {
      const part = await this.edits.look(look.access, wanted.slice(from, from + NAMED_AT_ONCE));
      for (const [id, node] of readableOf(look.access, part)) named.set(id, await this.nodeNamed(look, node));
    }
    return named;
  }

  private async nodeNamed(look: Look, node: Node): Promise<NamedNodeDto> {
    const { title } = await this.shown(look, node);
    return { id: node.id, title: typeof title === 'string' ? title : null };
  }

  private async entries(look: Look, step: Step): Promise<Entry[]> {
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
    const { access, proposal, proposer, nodes } = look;
    const id = String(step.payload['node_id']).toLowerCase();
    const node = nodes.get(id);
    const words = proposal.record.prepared[step.id] ?? {};
    const { node: prepared } = words;
    if (node === undefined || prepared === undefined) return missing('node', id, 'update');
    const shown = await this.shown(look, node);
    const found = await this.conflicts.ofNode(access, step, { node, prepared: words, proposer });
    const conflicts = new ConflictPaths(found.fields);
    const deltas = await look.slices.run(renewing(prepared.deltas, found.read, { ...node.record }));
    const changes = access.isOwner
      ? diffsOfDeltas({ shown, after: withDeltas({ ...node.record }, deltas) }, deltas, conflicts)
      : appsAfter(shown, step, conflicts);
    const tags = Object.entries(tagsAfter(access, shown, prepared.tags)).map(([field, value]) =>
      fieldDiff(field, shown[field], value, conflicts.has(field)),
    );
    const fields = [...changes, ...tags];
    return { entity: 'node', change: 'update', entity_id: node.id, fields: differing(fields), error: null };
  }

  private async deleted(look: Look, step: Step): Promise<Entry> {
    const node = look.nodes.get(String(step.payload['node_id']).toLowerCase());
    if (node === undefined) return this.gone(look, step.payload['node_id']);
    const prepared = look.proposal.record.prepared[step.id] ?? {};
    const { fields } = await this.conflicts.ofNode(look.access, step, { ...look, node, prepared });
    return this.gone(look, node.id, fields);
  }

  private async gone(look: Look, given: unknown, conflicts: readonly string[] = []): Promise<Entry> {
    const id = String(given).toLowerCase();
    const node = look.nodes.get(id);
    if (node === undefined) return missing('node', id, 'delete');
    const shown = await this.shown(look, node);
    const fields = [...new Set([...TELLING, ...conflicts])].map((field) =>
      fieldDiff(field, shown[field], null, conflicts.includes(field)),
    );
    return { entity: 'node', change: 'delete', entity_id: id, fields: differing(fields), error: null };
  }

  private async merged(look: Look, step: Step): Promise<Entry[]> {
    const { access, nodes, proposal } = look;
    const [target, ...sources] = namedNodes(step).map((id) => nodes.get(id));
    const sourceIds = step.payload['source_node_ids'] as string[];
    if (target === undefined || sources.length < sourceIds.length || sources.includes(undefined)) {
      return [missing('node', String(step.payload['target_node_id']).toLowerCase(), 'merge')];
    }
    const shown = await this.shown(look, target);
    const others = await inTurn(sources as Node[], (source) => this.shown(look, source));
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
      sources: await inTurn(sources as Node[], (source) => this.nodeNamed(look, source)),
      fields: differing(fields),
      error: null,
    };
    const gone = await inTurn(sourceIds, (id) => this.gone(look, id, conflicts.get(id.toLowerCase())));
    return [entry, ...gone, ...(await this.movedEdges(access, target, sources as Node[]))];
  }

  private async movedEdges(access: Access, target: Node, sources: readonly Node[]): Promise<Entry[]> {
    const ids = sources.map(({ id }) => id);
    const edges = await this.edits.readableEdgesAt(access, [target.id, ...ids]);
    return mergedEdges(edges, target.id, new Set(ids)).map(({ edge, ends: next }) => ({
      entity: 'relationship',
      change: next === null ? 'delete' : 'update',
      entity_id: edge.id,
      fields: differing(
        (['from_node_id', 'to_node_id'] as const).map((end) =>
          fieldDiff(end, edge[end], next?.[end] ?? null),
        ),
      ),
      error: null,
    }));
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

  private async shown({ access, slices }: Look, node: Node): Promise<WireNode> {
    await this.presenter.prepare(access, [node.record], slices);
    const shown = this.presenter.present(access, node.record);
    return access.isOwner ? { ...shown, graph_view: node.record.graph_view } : shown;
  }
}

/** Runs one after the other, so that the cache for one is not displaced by the next. */
async function inTurn<T, R>(all: readonly T[], make: (one: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const one of all) made.push(await make(one));
  return made;
}

const readableOf = (access: Access, nodes: ReadonlyMap<string, Node>): Map<string, Node> =>
  new Map([...nodes].filter(([, node]) => !node.isDeleted && sees(access.nodes.read, node.facts)));

/** New tags that a reader may confuse with others. */
async function confusableTags(
  access: Access,
  entries: readonly DiffEntryDto[],
): Promise<ProposalDiffDto['confusable_tags']> {
  const tags = entries.flatMap(({ fields }) => fields).filter(({ field }) => field === 'tags');
  const names = new Set(tags.flatMap(({ after }) => (after ?? []) as string[]));
  const news = [...names].filter((name) => access.vocabulary.idOf(name) === null);
  if (news.length === 0) return [];
  const alike = await lookAlikesIn(access);
  return news.flatMap((name) => {
    const other = alike.of(name);
    return other === null ? [] : [{ name, confusable_with: other }];
  });
}

const NOTHING_DISCLOSED = { apps: [], isComplete: true };
