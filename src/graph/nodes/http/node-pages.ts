import { Injectable } from '@nestjs/common';
import { Users } from '../../../identity/index.js';
import { pageWithinBytes } from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { type Slices } from '../../../kernel/slices.js';
import { type NodeRecord, slicesOfShowing, type WireNode } from '../../common/index.js';
import { NodeTagNames } from '../../tags/index.js';
import { type AccessiblePage } from '../infrastructure/accessible-nodes.js';
import { type ListedNodeDto, type NodesDto } from './nodes-answers.dto.js';
import { type NodesQuery } from './nodes.dto.js';
import { type Listed, NodePresenter } from './node.presenter.js';

type NodePageQuery = Pick<NodesQuery, 'limit' | 'offset' | 'include_tags'> & Partial<NodesQuery>;

/** Lists of nodes as answers. */
@Injectable()
export class NodePages {
  constructor(
    private readonly presenter: NodePresenter,
    private readonly users: Users,
    private readonly tagNames: NodeTagNames,
  ) {}

  /**
   * @param access the access to nodes that are not received
   * @param read reads a part of the list
   */
  async page(
    access: Access,
    query: NodePageQuery,
    read: (room: Room) => Promise<AccessiblePage>,
  ): Promise<NodesDto> {
    let accesses: AccessiblePage['accesses'] = new Map();
    const slices = slicesOfShowing();
    const { items: nodes, ...page } = await pageWithinBytes<NodeRecord, WireNode>({
      limit: query.limit,
      offset: query.offset,
      read: async (room) => {
        const part = await read(room);
        accesses = part.accesses;
        return { rows: part.records, total: part.total };
      },
      show: (records) => this.present(access, { records, accesses, slices }, query),
      isWhole: () => [access, ...accesses.values()].every(({ exposure }) => exposure.isIdentity),
      slices,
    });
    return { nodes: nodes as unknown as ListedNodeDto[], ...page };
  }

  private async *present(own: Access, page: Part, query: NodePageQuery): AsyncIterable<WireNode> {
    const owners = await this.owners(page, query);
    const received = await this.received(page, query);
    await this.presenter.stampAll(page.records, ({ owner_id }) => received.get(owner_id) ?? own);
    for (const record of page.records) {
      const access = received.get(record.owner_id) ?? own;
      if (access.exposure.takesTime) await this.presenter.prepare(access, [record], page.slices);
      const listed: Listed = { includeTags: query.include_tags, owner: owners.get(record.owner_id) };
      yield this.presenter.presentListed(access, record, listed);
    }
  }

  private async received(
    { records, accesses }: Part,
    query: NodePageQuery,
  ): Promise<ReadonlyMap<string, Access>> {
    const others = accesses.size === 0 ? [] : records.filter(({ owner_id }) => accesses.has(owner_id));
    if (others.length === 0 || !query.include_tags) return accesses;
    return this.tagNames.knowingAll(accesses, others);
  }

  private async owners({ records }: Part, query: NodePageQuery): Promise<Map<string, Listed['owner']>> {
    if (!query.include_owner) return new Map();
    const users = await this.users.findAll(records.map(({ owner_id }) => owner_id));
    return new Map([...users].map(([id, { username }]) => [id, { id, username }]));
  }
}

interface Part {
  records: readonly NodeRecord[];
  accesses: AccessiblePage['accesses'];
  slices: Slices;
}
