import { Injectable } from '@nestjs/common';
import { isObject, picked } from '../../kernel/json/json-values.js';
import { newId } from '../../kernel/ids.js';
import {
  fieldsOf,
  type JsonObject,
  Node,
  NODE_BODY_FIELDS,
  isNodeField,
  type NodeRecord,
  slicesOfShowing,
} from '../../graph/index.js';
import { type Access, tagNameKey, TagVocabulary } from '../../privacy/index.js';
import { type Delta, withDeltas } from '../domain/deltas.js';
import { type EdgeStep } from '../domain/edge-steps.js';
import { namedEdge } from '../domain/named-things.js';
import { preparedFor } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { BaseConflicts, type NodeQuestion } from './base-conflicts.js';

/** A node before and after a proposal. */
export interface ExpectedNode {
  /** Null: it does not exist yet. */
  before: NodeRecord | null;
  /** Null: it is deleted, or merged into another one. */
  after: NodeRecord | null;
  /** Its last state where the proposal changes and then ends it: restored, it is judged and shown by this one. */
  ended?: NodeRecord;
  /** The stored nodes that are merged into it, directly or through others, as they are now. */
  sources: NodeRecord[];
  /** The stored nodes, as they are now, from which it takes fields, by field. */
  taken: Map<string, NodeRecord>;
}

/** A relationship that the proposal makes, by the ids of its nodes. */
export interface NewEdge {
  from: string;
  to: string;
}

export interface Expected {
  nodes: ExpectedNode[];
  newEdges: NewEdge[];
  /** In the order in which they are applied. */
  edgeSteps: readonly EdgeStep[];
  /** The tags, including those that the proposal makes. */
  vocabulary: TagVocabulary;
}

@Injectable()
export class ExpectedNodes {
  constructor(private readonly conflicts: BaseConflicts) {}

  /**
   * The expected nodes and relationships after the approved part of a proposal; nothing is written. Steps that
   * could not be applied are left out.
   * @param living the nodes that it names, by id
   */
  async of(owner: Access, proposal: Proposal, living: ReadonlyMap<string, Node>): Promise<Expected> {
    const forecast = this.begin(owner, proposal, living);
    for (const step of proposal.approvedSteps) await forecast.take(step);
    return forecast.outcome;
  }

  /** @param living the nodes that its actions name, by id, each before an action that names it is taken */
  begin(owner: Access, proposal: Proposal, living: ReadonlyMap<string, Node>): Forecast {
    const slices = slicesOfShowing();
    const deltasOf = (words: Pick<NodeQuestion, 'node' | 'prepared'>) =>
      this.conflicts.deltasOf(owner, { ...words, slices });
    return new Forecast({ proposal, living, vocabulary: owner.vocabulary, deltasOf });
  }
}

interface Forecasting {
  proposal: Proposal;
  /** The nodes that its actions name, by id. */
  living: ReadonlyMap<string, Node>;
  vocabulary: TagVocabulary;
  /** See {@link BaseConflicts.deltasOf}. */
  deltasOf: (words: Pick<NodeQuestion, 'node' | 'prepared'>) => Promise<readonly Delta[]>;
}

/** The nodes as the actions of a proposal leave them, one after the other. */
export class Forecast {
  /** The steps of relationships up to now. */
  readonly edgeSteps: EdgeStep[] = [];
  private readonly nodes = new Map<string, ExpectedNode>();
  private readonly made = new Map<string, string>();
  private readonly newEdges: NewEdge[] = [];
  private readonly newTags = new Map<string, { id: string; name: string; deleted: false }>();

  constructor(private readonly of: Forecasting) {}

  get outcome(): Expected {
    const { edgeSteps } = this;
    const newEdges = this.newEdges.filter(({ from, to }) => from !== to);
    return { nodes: [...this.nodes.values()], newEdges, edgeSteps, vocabulary: this.tags };
  }

  /** The tags, including those that the actions up to now make. */
  get tags(): TagVocabulary {
    if (this.newTags.size === 0) return this.of.vocabulary;
    return new TagVocabulary([...this.of.vocabulary.all(), ...this.newTags.values()]);
  }

  /** The present state of a stored node; null if an action has ended it, undefined if none has named it. */
  stateOf(id: string): NodeRecord | null | undefined {
    return this.nodes.get(id)?.after;
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'CREATE_NODE':
        return this.create(step);
      case 'UPDATE_NODE':
      case 'ADD_TAGS':
      case 'REMOVE_TAGS':
        return this.change(step);
      case 'DELETE_NODE':
        return this.end(String(step.payload['node_id']));
      case 'MERGE_NODES':
        return this.merge(step);
      case 'CREATE_RELATIONSHIP':
        return this.connect(step);
      case 'DELETE_RELATIONSHIP':
        return void this.edgeSteps.push({ kind: 'delete', id: namedEdge(step) ?? '' });
      case 'UPDATE_RELATIONSHIP':
        return this.changeEdge(step);
    }
  }

  private create({ id, ref, payload }: Step): void {
    const { record } = this.of.proposal;
    const ofNames = [id, ...(ref === null || ref === id ? [] : [ref])].flatMap((name) =>
      isObject(record.entity_tags) && Object.hasOwn(record.entity_tags, name)
        ? (record.entity_tags[name] as string[])
        : [],
    );
    const names = [...((payload['tags'] ?? []) as string[]), ...record.tags, ...ofNames];
    const fields = fieldsOf(picked(payload, NODE_BODY_FIELDS));
    const birth = { ownerId: record.owner_id, id: newId(), createdAt: record.created_at };
    try {
      const draft = { title: '', node_type: '', ...fields, tag_ids: this.tagIds(names) };
      const after = Node.create(draft, birth).record;
      this.nodes.set(after.id, { before: null, after, sources: [], taken: new Map() });
      for (const name of [id, ref ?? id]) this.made.set(name, after.id);
    } catch {
      // A node that does not exist yet shows nothing to anybody.
    }
  }

  private async change({ id, payload }: Step): Promise<void> {
    const { proposal, living, deltasOf } = this.of;
    const prepared = preparedFor(proposal.record.prepared, id);
    const node = this.node(String(payload['node_id']));
    const stored = living.get(node?.after?.id ?? '');
    if (prepared?.node === undefined || !node?.after || stored === undefined) return;
    const deltas = await deltasOf({ node: stored, prepared });
    const changed = withDeltas(node.after as unknown as JsonObject, deltas) as unknown as NodeRecord;
    const { added, removed } = prepared.node.tags;
    const kept = node.after.tag_ids.filter((tag) => !removed.includes(tag));
    node.after = { ...changed, tag_ids: [...new Set([...kept, ...this.tagIds(added)])] };
  }

  private merge({ payload }: Step): void {
    const target = this.node(String(payload['target_node_id']));
    const sources = (payload['source_node_ids'] as string[]).map((id) => this.node(id));
    if (!target?.after || sources.some((source) => !source?.after)) return;
    const merged = sources as (ExpectedNode & { after: NodeRecord })[];
    const states = merged.map(({ after }) => after);
    const after = { ...target.after };
    for (const [field, choice] of Object.entries(
      (payload['field_choices'] ?? {}) as Record<string, string>,
    )) {
      const from =
        choice === 'source' ? merged[0] : merged.find(({ after: { id } }) => id === choice.toLowerCase());
      if (from === undefined || !isNodeField(field)) continue;
      Object.assign(after, { [field]: from.after[field as keyof NodeRecord] });
      takeFrom(target, field, from);
    }
    after.tag_ids = [...new Set([after, ...states].flatMap(({ tag_ids: ids }) => ids))];
    target.after = after;
    target.sources.push(
      ...merged.flatMap(({ before, sources: earlier }) => [...(before ? [before] : []), ...earlier]),
    );
    const sourceIds = new Set(states.map(({ id }) => id));
    for (const id of sourceIds) this.end(id);
    this.edgeSteps.push({ kind: 'merge', targetId: after.id, sourceIds });
    for (const edge of this.newEdges) {
      if (sourceIds.has(edge.from)) edge.from = after.id;
      if (sourceIds.has(edge.to)) edge.to = after.id;
    }
  }

  private connect({ payload }: Step): void {
    const end = (side: 'from' | 'to') =>
      payload[`${side}_ref`] === undefined
        ? String(payload[`${side}_node_id`]).toLowerCase()
        : this.made.get(payload[`${side}_ref`] as string);
    const [from, to] = [end('from'), end('to')];
    if (from === undefined || to === undefined) return;
    for (const id of [from, to]) this.node(id);
    this.newEdges.push({ from, to });
  }

  private changeEdge(step: Step): void {
    const fields = preparedFor(this.of.proposal.record.prepared, step.id)?.edge;
    if (fields !== undefined) this.edgeSteps.push({ kind: 'update', id: namedEdge(step) ?? '', fields });
  }

  private end(id: string): void {
    const node = this.node(id);
    if (!node?.after) return;
    // An unchanged node is restored as it is shown now.
    if (node.after !== node.before) node.ended = node.after;
    node.after = null;
  }

  private node(given: string): ExpectedNode | undefined {
    const id = given.toLowerCase();
    const known = this.nodes.get(id);
    const stored = this.of.living.get(id);
    if (known !== undefined || stored === undefined || stored.isDeleted) return known;
    const { record } = stored;
    const node: ExpectedNode = { before: record, after: record, sources: [], taken: new Map() };
    this.nodes.set(id, node);
    return node;
  }

  /** Resolves each word as an id first, then as a name, then as a new tag. */
  private tagIds(words: readonly string[]): string[] {
    return words.map((word) => {
      const id = word.trim().toLowerCase();
      if (this.of.vocabulary.isLiving(id)) return id;
      const named = this.of.vocabulary.idOf(word);
      if (named !== null) return named;
      const key = tagNameKey(word);
      const made = this.newTags.get(key) ?? { id: newId(), name: word.trim(), deleted: false as const };
      this.newTags.set(key, made);
      return made.id;
    });
  }
}

/** Notes the stored node that a field comes from: the source, or the one from which the source takes it. */
function takeFrom(target: ExpectedNode, field: string, { before, taken }: ExpectedNode): void {
  const origin = taken.get(field) ?? before;
  if (origin === null) target.taken.delete(field);
  else target.taken.set(field, origin);
}
