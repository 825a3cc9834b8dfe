import { Injectable } from '@nestjs/common';
import { Users } from '../../identity/index.js';
import { type Access } from '../../privacy/index.js';
import { NodeTagNames } from '../infrastructure/node-tag-names.queries.js';
import { type ReachedPage } from '../infrastructure/reach.js';
import { type NodesQuery } from './nodes.dto.js';
import { type Listed, NodePresenter } from './node.presenter.js';

type Question = Pick<NodesQuery, 'limit' | 'offset' | 'include_tags'> & Partial<NodesQuery>;

/** Lists of nodes as answers. */
@Injectable()
export class NodePages {
  constructor(
    private readonly presenter: NodePresenter,
    private readonly users: Users,
    private readonly tagNames: NodeTagNames,
  ) {}

  /** @param access to the nodes that are not received */
  async present(access: Access, page: ReachedPage, query: Question): Promise<object> {
    const { records, total } = page;
    const owners = await this.owners(page, query);
    const received = await this.received(page, query);
    const nodes = records.map((record) => {
      const listed: Listed = { includeTags: query.include_tags, owner: owners.get(record.owner_id) };
      return this.presenter.presentListed(received.get(record.owner_id) ?? access, record, listed);
    });
    return { nodes, total, limit: query.limit, offset: query.offset };
  }

  private async received(
    { records, accesses }: ReachedPage,
    query: Question,
  ): Promise<ReadonlyMap<string, Access>> {
    const others = accesses.size === 0 ? [] : records.filter(({ owner_id }) => accesses.has(owner_id));
    if (others.length === 0 || !query.include_tags) return accesses;
    return this.tagNames.knowingAll(accesses, others);
  }

  private async owners({ records }: ReachedPage, query: Question): Promise<Map<string, Listed['owner']>> {
    if (!query.include_owner) return new Map();
    const users = await this.users.findAll(records.map(({ owner_id }) => owner_id));
    return new Map([...users].map(([id, { username }]) => [id, { id, username }]));
  }
}
