import { Injectable } from '@nestjs/common';
import { AccessibleNodes } from '../../graph/index.js';
import { Names } from '../../identity/index.js';
import { isId } from '../../kernel/ids.js';
import { type Access } from '../../privacy/index.js';
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
  ) {}

  async present(access: Access, shares: readonly Share[]): Promise<ShareDto[]> {
    const places = shares.flatMap((share) =>
      namedNodes(share).map((id) => ({ ownerId: share.graph_owner_id, id })),
    );
    const distinct = new Map(places.map((place) => [keyOf(place), place]));
    const titles = new Map<string, string>();
    for (const { title, ...place } of await this.nodes.titles(access, [...distinct.values()]))
      titles.set(keyOf(place), title);
    return this.named(access, shares, titles);
  }

  /**
   * The answer to a write, which a repeated Idempotency-Key repeats for a day: it names no node of others, whose title
   * may be hidden by then.
   */
  async presentWritten(access: Access, share: Share): Promise<ShareDto> {
    const own = share.graph_owner_id === access.ownerId ? namedNodes(share) : [];
    const { ownerId } = access;
    const titles = Array.from((await this.nodes.ownTitles(access, own)).values(), ({ id, title }) => {
      return [keyOf({ ownerId, id }), title] as const;
    });
    const [shown] = await this.named(access, [share], new Map(titles));
    return shown as ShareDto;
  }

  private async named(
    access: Access,
    shares: readonly Share[],
    titles: ReadonlyMap<string, string>,
  ): Promise<ShareDto[]> {
    const shown = await this.log.shown(shares);
    const person = await this.names.people(
      shares.flatMap(({ owner_id, shared_with_user_id }) => [owner_id, shared_with_user_id]),
    );
    const graphs = new Map(shares.map((share) => [`${share.owner_id} ${share.id}`, share.graph_owner_id]));
    return shown.map((share) => ({
      ...share,
      owner: person(share.owner_id),
      shared_with: person(share.shared_with_user_id),
      tags: share.owner_id === access.ownerId ? tagsOf(access, share.tag_ids) : null,
      nodes: namedNodes(share).flatMap((id) => {
        const title = titles.get(
          keyOf({ ownerId: graphs.get(`${share.owner_id} ${share.id}`) as string, id }),
        );
        return title === undefined ? [] : [{ id, title }];
      }),
    }));
  }
}

const keyOf = ({ ownerId, id }: { ownerId: string; id: string }): string => `${ownerId} ${id.toLowerCase()}`;

const namedNodes = ({ node_ids }: Pick<Share, 'node_ids'>): string[] =>
  node_ids.filter(isId).slice(0, NAMED_NODES);

/** The living ones among the owner's own tags. */
const tagsOf = ({ vocabulary }: Access, ids: readonly string[]): { id: string; name: string }[] =>
  ids.flatMap((id) => {
    const name = vocabulary.nameOf(id);
    return name === null ? [] : [{ id, name }];
  });
