import { Injectable } from '@nestjs/common';
import { type Slices } from '../../../kernel/slices.js';
import { type Access, AccessReports, seesEverything } from '../../../privacy/index.js';
import {
  EntityTags,
  factsOf,
  lookAlikesIn,
  type NodeRecord,
  slicesOfShowing,
  slicesWithoutEnd,
} from '../../common/index.js';
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
    private readonly accessReports: AccessReports,
  ) {}

  present(access: Access, tag: Tag, slices = slicesOfShowing()): Promise<TagDto> {
    this.accessReports.shown(access, { owner_id: tag.owner_id, id: null });
    return shownTag(access, tag, slices);
  }

  /** Presents a tag that the caller has just written, without a time limit. */
  presentWritten(access: Access, tag: Tag): Promise<TagDto> {
    return this.present(access, tag, slicesWithoutEnd());
  }

  /** A tag as its creator sees it, with everything that they wrote. */
  async presentCreated(access: Access, tag: Tag): Promise<CreatedTagDto> {
    const { created_at, updated_at, ...rest } = tagRecord(tag);
    const times = { created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
    const alike = access.isOwner ? (await lookAlikesIn(access)).of(tag.name) : null;
    return { ...rest, ...times, ...(alike === null ? {} : { confusable_with: alike }) };
  }

  async presentWithNodes(
    access: Access,
    tag: Tag,
    { tagged: { count, newest } = NO_NODES, slices }: { tagged: TaggedNodes | undefined; slices: Slices },
  ): Promise<ListedTagDto> {
    const nodes: TaggedNodeDto[] = [];
    for (const label of newest) {
      this.accessReports.shown(access, { owner_id: tag.owner_id, id: label.id });
      nodes.push(await presentLabel(access, label, slices));
    }
    return { ...(await this.present(access, tag, slices)), nodes, node_count: count };
  }

  /** @param shown the tag as it is presented to the caller, if available */
  async etag(access: Access, tag: Tag, shown?: TagDto): Promise<string> {
    if (seesEverything(access)) return String(tag.version);
    return this.etags.ofContents(shown ?? (await shownTag(access, tag, slicesOfShowing())));
  }
}

/** The id and title of a node, cut like the node itself. */
async function presentLabel(
  access: Access,
  { id, title, ...facts }: NodeLabel,
  slices: Slices,
): Promise<TaggedNodeDto> {
  const states = factsOf({ id, ...facts } as NodeRecord);
  return (await access.exposure.exposeInSlices({ id, title }, states, slices)) as unknown as TaggedNodeDto;
}
