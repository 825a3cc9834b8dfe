import { Injectable } from '@nestjs/common';
import {
  type PageWithinBytes,
  pageWithinBytes,
  shownInTurn,
} from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { slicesOfShowing } from '../../common/index.js';
import { NodesQueries, AccessibleNodes, type ReadableNode } from '../../nodes/index.js';
import { type RelationshipPage } from '../infrastructure/relationship-rows.js';
import { type ListedRelationshipDto, type RelationshipDto } from './relationships.dto.js';
import { RelationshipPresenter } from './relationships.presenter.js';

type List = (room: Room) => Promise<RelationshipPage>;

/**
 * The answer repeats a node for each of its edges, so the stored size does not determine the answer's size.
 */
const isWhole = (): boolean => false;

/** Lists of relationships as answers. */
@Injectable()
export class RelationshipPages {
  constructor(
    private readonly nodes: NodesQueries,
    private readonly reached: AccessibleNodes,
    private readonly presenter: RelationshipPresenter,
  ) {}

  alone(access: Access, room: Room, list: List): Promise<PageWithinBytes<RelationshipDto>> {
    const slices = slicesOfShowing();
    return pageWithinBytes<EdgeWithEnds, RelationshipDto>({
      ...room,
      read: async (part) => {
        const { edges: rows, total } = await list(part);
        return { rows, total };
      },
      show: (edges) => shownInTurn(edges, (edge) => this.presenter.present(access, edge, slices)),
      isWhole,
      slices,
    });
  }

  withNodes(access: Access, room: Room, list: List): Promise<PageWithinBytes<ListedRelationshipDto>> {
    let nodes: ReadonlyMap<string, ReadableNode> = new Map();
    const slices = slicesOfShowing();
    return pageWithinBytes<EdgeWithEnds, ListedRelationshipDto>({
      ...room,
      read: async (part) => {
        const { edges, total } = await list(part);
        const ends = await this.endsOf(access, edges);
        nodes = ends.nodes;
        return { rows: edges.slice(0, ends.known), total };
      },
      show: async (edges) => {
        await this.presenter.stamp(nodes.values());
        return shownInTurn(edges, (edge) => this.presenter.presentWithNodes(access, edge, { nodes, slices }));
      },
      isWhole,
      slices,
    });
  }

  /** The nodes of the first edges that fill a page, and the number of edges looked at. */
  private async endsOf(
    access: Access,
    edges: readonly EdgeWithEnds[],
  ): Promise<{ nodes: ReadonlyMap<string, ReadableNode>; known: number }> {
    const ids = [...new Set(edges.flatMap(({ from, to }) => [from.id, to.id]))];
    const isOwn = edges.every(({ edge }) => edge.owner_id === access.ownerId);
    const { nodes, lookedAt } = await (isOwn
      ? this.own(access, ids)
      : this.reached.firstReadable(access, ids));
    const unknown = new Set(ids.slice(lookedAt));
    const first = edges.findIndex(({ from, to }) => unknown.has(from.id) || unknown.has(to.id));
    return { nodes, known: first === -1 ? edges.length : first };
  }

  private async own(
    access: Access,
    ids: readonly string[],
  ): Promise<{ nodes: ReadonlyMap<string, ReadableNode>; lookedAt: number }> {
    const { records, lookedAt } = await this.nodes.firstReadable(access, ids);
    return { nodes: new Map([...records].map(([id, record]) => [id, { access, record }])), lookedAt };
  }
}
