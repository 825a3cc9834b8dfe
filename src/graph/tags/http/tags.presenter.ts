import { Injectable } from '@nestjs/common';
import { type Access, Disclosures, seesEverything } from '../../../privacy/index.js';
import { EntityTags, factsOf, lookAlikesIn, type NodeRecord } from '../../common/index.js';
import { shownTag } from '../domain/tag-view.js';
import { type Tag, tagRecord } from '../domain/tag.js';
import { type NodeLabel, type TaggedNodes } from '../infrastructure/tags.queries.js';
import { type CreatedTagDto, type ListedTagDto, type TagDto, type TaggedNodeDto } from './tags.dto.js';

const NO_NODES: TaggedNodes = { count: 0, newest: [] };

/** Presents tags: the name, and the rest to callers who are shown the whole tag (rule 4.14). */
@Injectable()
export class TagPresenter {
  constructor(
    private readonly etags: EntityTags,
    private readonly disclosures: Disclosures,
  ) {}

  present(access: Access, tag: Tag): TagDto {
    this.disclosures.shown(access, { owner_id: tag.owner_id, id: null });
    return shownTag(access, tag);
  }

  /** A tag as its creator sees it, with everything that they wrote. */
  async presentCreated(access: Access, tag: Tag): Promise<CreatedTagDto> {
    const { created_at, updated_at, ...rest } = tagRecord(tag);
    const times = { created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
    const alike = access.isOwner ? (await lookAlikesIn(access)).of(tag.name) : null;
    return { ...rest, ...times, ...(alike === null ? {} : { confusable_with: alike }) };
  }

  presentWithNodes(access: Access, tag: Tag, { count, newest }: TaggedNodes = NO_NODES): ListedTagDto {
    const nodes = newest.map((label) => {
      this.disclosures.shown(access, { owner_id: tag.owner_id, id: label.id });
      return presentLabel(access, label);
    });
    return { ...this.present(access, tag), nodes, node_count: count };
  }

  etag(access: Access, tag: Tag): string {
    return seesEverything(access) ? String(tag.version) : this.etags.ofContents(shownTag(access, tag));
  }
}

/** The id and title of a node, cut like the node itself. */
function presentLabel(access: Access, { id, title, ...facts }: NodeLabel): TaggedNodeDto {
  if (access.exposure.isIdentity) return { id, title };
  return access.exposure.expose(
    { id, title },
    factsOf({ id, ...facts } as NodeRecord),
  ) as unknown as TaggedNodeDto;
}
