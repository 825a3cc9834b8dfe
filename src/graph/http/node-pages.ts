import { Injectable } from '@nestjs/common';
import { Users } from '../../identity/index.js';
import { type Access } from '../../privacy/index.js';
import { type NodePage } from '../infrastructure/nodes.queries.js';
import { type NodesQuery } from './nodes.dto.js';
import { type Listed, NodePresenter } from './node.presenter.js';

/** Lists of nodes as answers. */
@Injectable()
export class NodePages {
  constructor(
    private readonly presenter: NodePresenter,
    private readonly users: Users,
  ) {}

  async present(access: Access, { records, total }: NodePage, query: NodesQuery): Promise<object> {
    const listed: Listed = { includeTags: query.include_tags, owner: await this.owner(access, query) };
    const nodes = records.map((record) => this.presenter.presentListed(access, record, listed));
    return { nodes, total, limit: query.limit, offset: query.offset };
  }

  private async owner({ ownerId }: Access, query: NodesQuery): Promise<Listed['owner']> {
    const user = query.include_owner ? await this.users.find(ownerId) : null;
    return user ? { id: user.id, username: user.username } : undefined;
  }
}
