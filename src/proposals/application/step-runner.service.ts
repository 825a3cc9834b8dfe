import { Injectable } from '@nestjs/common';
import { picked } from '../../kernel/json/json-values.js';
import {
  discovers,
  isReadable,
  type Judging,
  lastTagRemoval,
  type NewRelationshipBody,
  type Node,
  NODE_BODY_FIELDS,
  isNodeField,
  type NodeBody,
  nodeNotFound,
  OwnerEdits,
  type Relationship,
  RELATIONSHIP_FIELDS,
  relationshipNotFound,
  type SchemaChecks,
  type TagChange,
} from '../../graph/index.js';
import { type Access, sees } from '../../privacy/index.js';
import { CONFLICT, type Made } from '../domain/apply-result.js';
import { withDeltas } from '../domain/deltas.js';
import { assignedTags } from '../domain/assigned-tags.js';
import { fieldSources, namedEdge, namedNodes } from '../domain/named-things.js';
import { isMetadataShown, preparedFor } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { BaseConflicts } from './base-conflicts.js';
import { refuseUnpermitted, refuseUnpermittedEdge } from './permitted-steps.js';
import { type ComparedSteps, isCurrent } from './step-comparisons.js';

/** The edits of steps: real ones, or on trial. */
type StepEdits = Pick<
  OwnerEdits,
  'create' | 'change' | 'delete' | 'merge' | 'connect' | 'findEdge' | 'changeEdge' | 'deleteEdge'
>;

/** One application of a proposal, or a rehearsal. */
export interface Run {
  edits: StepEdits;
  /** The nodes by id in lower case, as the steps so far leave them; locked unless it is a rehearsal. */
  current: (ids: readonly string[]) => Promise<Map<string, Node>>;
  proposal: Proposal;
  /** The owner's access, whose authority applies. */
  owner: Access;
  /**
   * The caller who applies it. Nodes that they cannot read count as absent, so that applying reveals nothing
   * to an app.
   */
  caller: Access;
  isRehearsal: boolean;
  /** The nodes and relationships that its steps name, as they were before all of them. */
  before: {
    nodes: ReadonlyMap<string, Pick<Node, 'version' | 'facts'>>;
    edges: ReadonlyMap<string, Relationship>;
  };
  /** See {@link StepComparisons}. */
  compared: ComparedSteps;
  /** The schema checks of the whole application, which does not wait for them. */
  checks: SchemaChecks;
  /** Ids of the nodes made so far, by action id and by ref. */
  made: Map<string, string>;
  /** The number of relationships that its merges may still move. */
  room: { edges: number };
}

/** The proposal, or a node that it names, has changed since the work before the unit of work; nothing is written. */
export class OutdatedProposal extends Error {
  constructor() {
    super('a proposal or its nodes have changed meanwhile');
  }
}

/** A field that an action changes has changed since the action was written. */
export class Conflict extends Error {
  constructor(readonly fields: readonly string[]) {
    super(CONFLICT);
  }
}

/**
 * Runs one step. Unless it is a rehearsal it needs a unit of work, and a savepoint for each step: a step that throws must
 * be rolled back.
 */
@Injectable()
export class StepRunner {
  constructor(private readonly conflicts: BaseConflicts) {}

  /** @throws DomainError, Conflict */
  async run(run: Run, step: Step): Promise<Made> {
    const nodes = await this.located(run, step);
    if (!run.isRehearsal && !run.caller.isOwner) refuseUnpermitted(run.caller, step, run);
    switch (step.type) {
      case 'CREATE_NODE':
        return this.create(run, step);
      case 'UPDATE_NODE':
      case 'ADD_TAGS':
      case 'REMOVE_TAGS':
        return this.change(run, step, nodeOf(nodes, step.payload['node_id']));
      case 'DELETE_NODE':
        return this.delete(run, step, nodeOf(nodes, step.payload['node_id']));
      case 'MERGE_NODES':
        return this.merge(run, step, nodes);
      case 'CREATE_RELATIONSHIP':
        return { relationshipIds: await run.edits.connect(run.owner, edgeBody(run, step)) };
      case 'UPDATE_RELATIONSHIP':
      case 'DELETE_RELATIONSHIP':
        return this.edge(run, step);
    }
  }

  /** The living nodes that the step names. */
  private async located({ caller, current }: Run, step: Step): Promise<Map<string, Node>> {
    const ids = namedNodes(step);
    if (ids.length === 0) return new Map();
    const nodes = await current(ids);
    const isThere = (node: Node | undefined) =>
      node !== undefined && !node.isDeleted && sees(caller.nodes.read, node.facts);
    if (!ids.every((id) => isThere(nodes.get(id)))) throw nodeNotFound();
    return nodes;
  }

  private async create({ edits, owner, proposal, checks, made }: Run, step: Step): Promise<Made> {
    const { record } = proposal;
    const tags = assignedTags(proposal, step);
    const body = {
      graph_view: record.graph_view,
      ...picked(step.payload, NODE_BODY_FIELDS),
      tags,
    } as NodeBody;
    const { node, tagIds } = await edits.create(owner, { body, checks });
    for (const name of [step.id, step.ref ?? step.id]) made.set(name, node.id);
    return { nodeIds: [node.id], tagIds };
  }

  private async delete(run: Run, step: Step, node: Node): Promise<Made> {
    refuseConflicts(run, step);
    await run.edits.delete(run.owner, node);
    return {};
  }

  private async change(run: Run, step: Step, node: Node): Promise<Made> {
    const { edits, owner, proposal, checks, isRehearsal } = run;
    const { node: prepared, unseen } = preparedFor(proposal.record.prepared, step.id) ?? {};
    if (prepared === undefined) throw nodeNotFound();
    const { tags, reason } = prepared;
    refuseConflicts(run, step);
    if (isRehearsal) refuseLastKnown(run.caller, node, tags);
    const deltas = run.compared.get(step.id)?.deltas ?? [];
    const after = withDeltas({ ...node.record }, deltas);
    const touched = new Set(deltas.map(({ path }) => path[0] as string));
    const body = Object.fromEntries([...touched].map((field) => [field, after[field]])) as NodeBody;
    if (reason !== null) body.change_reason = reason;
    const change = { body, tags, checks, judging: judgingOf(run), unseen };
    const { tagIds } = await edits.change(owner, node, change);
    return { tagIds };
  }

  private async merge(run: Run, step: Step, nodes: Map<string, Node>): Promise<Made> {
    const { edits, owner, checks } = run;
    const { payload } = step;
    const target = nodeOf(nodes, payload['target_node_id']);
    const sources = (payload['source_node_ids'] as string[]).map((id) => nodeOf(nodes, id));
    refuseConflicts(run, step);
    const chosen = [...fieldSources(step)].flatMap(([field, id]) => {
      const from = nodes.get(id);
      const isField = isNodeField(field);
      return from === undefined || !isField ? [] : [[field, from.record[field as keyof typeof from.record]]];
    });
    const merge = { target, sources, chosen: Object.fromEntries(chosen) as NodeBody };
    const how = { checks, judging: judgingOf(run), room: run.room.edges };
    run.room.edges -= await edits.merge(owner, { ...merge, ...how });
    return {};
  }

  private async edge(run: Run, step: Step): Promise<Made> {
    const { edits, owner, caller, proposal, before, isRehearsal } = run;
    const edge = await edits.findEdge(owner, namedEdge(step) ?? '');
    if (edge === null || !isReadable(caller, edge)) throw relationshipNotFound();
    const prepared = preparedFor(proposal.record.prepared, step.id) ?? {};
    if (!isRehearsal) {
      refuseUnpermittedEdge(caller, edge);
      const earlier = { ...edge, edge: before.edges.get(edge.edge.id) ?? edge.edge };
      refuseFields(await this.conflicts.ofEdge(caller, earlier, prepared));
    }
    if (step.type === 'DELETE_RELATIONSHIP') await edits.deleteEdge(owner, edge.edge.id);
    else {
      const { edge: body, unseen } = prepared;
      if (body === undefined) throw relationshipNotFound();
      await edits.changeEdge(owner, edge, { body, unseen });
    }
    return {};
  }
}

/**
 * Refuses a step whose nodes have changed since its base. They are compared as they were before the proposal, whose own
 * steps therefore do not conflict. A rehearsal has no conflicts: they can disappear.
 * @throws Conflict, OutdatedProposal
 */
function refuseConflicts({ isRehearsal, compared, before }: Run, { id }: Step): void {
  if (isRehearsal) return;
  const step = compared.get(id);
  if (step === undefined || !isCurrent(step, before.nodes)) throw new OutdatedProposal();
  refuseFields(step.conflicts);
}

function refuseFields(fields: readonly string[]): void {
  if (fields.length > 0) throw new Conflict(fields);
}

/**
 * The checks of the whole node. Neither a refusal nor its time may reveal to an app that hidden parts fit or
 * do not: only the user learns that, when they apply the proposal.
 */
function judgingOf({ caller, isRehearsal }: Run): Judging | undefined {
  if (isMetadataShown(caller)) return undefined;
  return isRehearsal ? 'nothing' : 'bounds';
}

/** A rehearsal must not reveal that a hidden tag remains on the node. */
function refuseLastKnown(app: Access, { tagIds }: Node, { added, removed }: TagChange): void {
  // A tag that is in no vocabulary yet was made by an earlier step.
  const known = tagIds.filter((id) => app.vocabulary.get(id) === undefined || discovers(app, id));
  if (added.length === 0 && known.length > 0 && known.every((id) => removed.includes(id)))
    throw lastTagRemoval();
}

/** The body with the ids of nodes that this proposal has made in place of their names. */
function edgeBody({ made, proposal }: Run, { payload }: Step): NewRelationshipBody {
  const { from_ref, to_ref, from_node_id, to_node_id, ...fields } = payload;
  const end = (ref: unknown, id: unknown): string => {
    if (ref === undefined) return id as string;
    const nodeId = made.get(ref as string);
    if (nodeId === undefined) throw nodeNotFound();
    return nodeId;
  };
  const ends = { from_node_id: end(from_ref, from_node_id), to_node_id: end(to_ref, to_node_id) };
  const edge = picked(fields, [...RELATIONSHIP_FIELDS, 'bidirectional']);
  return { graph_view: proposal.record.graph_view, ...edge, ...ends } as NewRelationshipBody;
}

function nodeOf(nodes: ReadonlyMap<string, Node>, id: unknown): Node {
  const node = nodes.get(String(id).toLowerCase());
  if (node === undefined) throw nodeNotFound();
  return node;
}
