import { type Clock } from '../../../kernel/clock.js';
import { isId } from '../../../kernel/ids.js';
import { type Access } from '../../../privacy/index.js';
import { type Node, type NodeBody, type NodesRepository, type NodesService } from '../../nodes/index.js';
import {
  type EdgeWithEnds,
  type NewRelationshipBody,
  type RelationshipEdit,
  type RelationshipsQueries,
  type RelationshipsRepository,
  TrialEdges,
} from '../../relationships/index.js';
import { type Tag, type TagsService } from '../../tags/index.js';
import { decidedMerge, editOf, type Merge, type NodeChange, type Part } from './edit-decisions.js';

interface Tools {
  nodes: NodesRepository;
  service: NodesService;
  tags: TagsService;
  edges: RelationshipsRepository;
  edgeQueries: RelationshipsQueries;
  clock: Clock;
}

/** The most nodes in a statement: each can have a MiB, and on the embedded database others wait for it. */
const NODES_AT_A_TIME = 10;

/**
 * Edits in the owner's name, decided one after the other as {@link OwnerEdits} decides them and kept in memory: nothing
 * is written or locked, so nobody waits for them, however long they take. They need no unit of work. Nodes are read when
 * they are first named; others may change them meanwhile.
 */
export class TrialEdits {
  /** The named and the made nodes, as the edits leave them. */
  private readonly nodes = new Map<string, Node>();
  private readonly madeTags: Tag[] = [];
  private readonly edges: TrialEdges;

  /** @param reader see {@link TrialEdges} */
  constructor(
    owner: Access,
    reader: Access,
    private readonly tools: Tools,
  ) {
    const { edges: stored, edgeQueries: queries, clock } = tools;
    this.edges = new TrialEdges({ owner, reader, nodes: this.nodes }, { stored, queries, clock });
  }

  /** The nodes by id in lower case, as the edits leave them; deleted ones too. */
  async current({ ownerId }: Access, ids: readonly string[]): Promise<Map<string, Node>> {
    const wanted = [...new Set(ids.filter(isId).map((id) => id.toLowerCase()))];
    const unread = wanted.filter((id) => !this.nodes.has(id));
    for (let from = 0; from < unread.length; from += NODES_AT_A_TIME) {
      const part = unread.slice(from, from + NODES_AT_A_TIME);
      for (const node of (await this.tools.nodes.list(ownerId, part)).values()) this.keep(node);
    }
    const found = wanted.map((id) => this.nodes.get(id)).filter((node) => node !== undefined);
    return new Map(found.map((node) => [node.id, node]));
  }

  async create(access: Access, { body, checks }: Part<{ body: NodeBody }>) {
    const names = body.tags ?? [];
    const tagIds = names.length === 0 ? [] : await this.assignment(access).resolve('create', names);
    const node = await this.tools.service.draft(access, { body, tagIds, checks });
    this.keep(node);
    return { node, tagIds: [] };
  }

  async change(access: Access, node: Node, change: Part<NodeChange>) {
    const edit = await editOf(node, change, this.assignment(access));
    const decision = await this.tools.service.decideEdit(access, node, edit);
    const next = decision?.revision.node ?? node;
    this.keep(next);
    return { node: next, tagIds: [] };
  }

  delete(_access: Access, node: Node): Promise<void> {
    this.keep(node.delete(this.tools.clock.now()).node);
    return Promise.resolve();
  }

  async merge(access: Access, merge: Part<Merge> & { room: number }): Promise<number> {
    const { target, sources, room } = merge;
    const sourceIds = sources.map(({ id }) => id);
    const edges = await this.edges.at(sourceIds, room);
    const { merged, gone } = await decidedMerge(this.tools.service, access, {
      ...merge,
      at: this.tools.clock.now(),
    });
    this.keep(merged.node);
    for (const { step } of gone) this.keep(step.node);
    await this.edges.move(edges, target.id, new Set(sourceIds));
    return edges.length;
  }

  async findEdge(_access: Access, id: string): Promise<EdgeWithEnds | null> {
    return isId(id) ? this.edges.find(id) : null;
  }

  connect(_access: Access, body: NewRelationshipBody): Promise<string[]> {
    return Promise.resolve(this.edges.connect(body));
  }

  changeEdge(_access: Access, edge: EdgeWithEnds, change: Pick<RelationshipEdit, 'body' | 'unseen'>) {
    return this.edges.change(edge, change);
  }

  deleteEdge(_access: Access, id: string): Promise<void> {
    this.edges.delete(id);
    return Promise.resolve();
  }

  private keep(node: Node): void {
    this.nodes.set(node.id, node);
  }

  private assignment(access: Access) {
    return this.tools.tags.trialAssignment(access, this.madeTags);
  }
}
