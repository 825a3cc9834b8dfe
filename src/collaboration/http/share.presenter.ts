import { Injectable } from '@nestjs/common';
import { AccessibleNodes, type NamedNode } from '../../graph/index.js';
import { Names } from '../../identity/index.js';
import { isId } from '../../kernel/ids.js';
import { type Access, AccessReports } from '../../privacy/index.js';
import { ShareLog } from '../application/share-log.js';
import { type Share } from '../domain/share.js';
import { type ShareDto } from './shares.dto.js';

/** The most nodes of a share that are named: it may hold 1,000, of titles with 1,000 characters. */
const NAMED_NODES = 20;

/**
 * Presents shares to their two people, with the names beside their ids (rule 11.13). The tags are the sharer's, who alone
 * is shown how they are called; nodes have the titles that the reader is shown of them now.
 */
@Injectable()
export class SharePresenter {
  constructor(
    private readonly log: ShareLog,
    private readonly names: Names,
    private readonly nodes: AccessibleNodes,
    private readonly reports: AccessReports,
  ) {}

  async present(access: Access, shares: readonly Share[]): Promise<ShareDto[]> {
    const ids = shares.flatMap(namedNodes);
    const reached = await this.nodes.titles(access, ids);
    for (const { id, ownerId: owner_id } of reached.values()) this.reports.shown(access, { id, owner_id });
    return this.named(access, shares, reached);
  }

  /**
   * The answer to a write, which a repeated Idempotency-Key repeats for a day: it names no node of others, whose title
   * may be hidden by then.
   */
  async presentWritten(access: Access, share: Share): Promise<ShareDto> {
    const [shown] = await this.named(access, [share], await this.nodes.ownTitles(access, namedNodes(share)));
    return shown as ShareDto;
  }

  private async named(
    access: Access,
    shares: readonly Share[],
    titles: ReadonlyMap<string, NamedNode>,
  ): Promise<ShareDto[]> {
    const shown = await this.log.shown(shares);
    const person = await this.names.people(
      shares.flatMap(({ owner_id, shared_with_user_id }) => [owner_id, shared_with_user_id]),
    );
    return shown.map((share) => ({
      ...share,
      owner: person(share.owner_id),
      shared_with: person(share.shared_with_user_id),
      tags: share.owner_id === access.ownerId ? tagsOf(access, share.tag_ids) : null,
      nodes: namedNodes(share).flatMap((id) => {
        const node = titles.get(id);
        return node === undefined ? [] : [{ id, title: node.title }];
      }),
    }));
  }
}

const namedNodes = ({ node_ids }: Pick<Share, 'node_ids'>): string[] =>
  node_ids.filter(isId).slice(0, NAMED_NODES);

/** The living ones among the owner's own tags. */
const tagsOf = ({ vocabulary }: Access, ids: readonly string[]): { id: string; name: string }[] =>
  ids.flatMap((id) => {
    const name = vocabulary.nameOf(id);
    return name === null ? [] : [{ id, name }];
  });
