import { Injectable } from '@nestjs/common';
import { isObject } from '../../kernel/json-values.js';
import { type Access } from '../../privacy/index.js';
import { discovers } from '../domain/known-tags.js';
import { type NodeRecord } from '../domain/node-record.js';
import { factsOf, shownOf } from '../domain/node-view.js';
import { maySeeWhole } from '../domain/tag-rights.js';
import { shownTag } from '../domain/tag-view.js';
import { type Tag, tagRecord } from '../domain/tag.js';
import { type NodeLabel, type TaggedNodes } from '../infrastructure/tags.queries.js';
import { EntityTags } from './entity-tags.js';
import { type TaggedFileDto } from './tags-files.dto.js';
import { type CreatedTagDto, type ListedTagDto, type TagDto, type TaggedNodeDto } from './tags.dto.js';

const NO_NODES: TaggedNodes = { count: 0, newest: [] };

/** The way out for a tag: its name, and the rest for whom it is shown whole (decisions 4.14). */
@Injectable()
export class TagPresenter {
  constructor(private readonly etags: EntityTags) {}

  present(access: Access, tag: Tag): TagDto {
    return shownTag(access, tag);
  }

  /** A tag as its maker sees it: he wrote all that is in it. */
  presentCreated(tag: Tag): CreatedTagDto {
    const { created_at, updated_at, ...rest } = tagRecord(tag);
    return { ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
  }

  presentWithNodes(access: Access, tag: Tag, { count, newest }: TaggedNodes = NO_NODES): ListedTagDto {
    const nodes = newest.map((label) => presentLabel(access, label));
    return { ...this.present(access, tag), nodes, node_count: count };
  }

  etag(access: Access, tag: Tag): string {
    return this.etags.of(tag, maySeeWhole(access, tag.id));
  }

  /**
   * A node with the raw-file schema as the raw-files family shows it (decisions 6.3): made of what the caller is
   * shown of the node. Below detail full the metadata is not, and only the technical facts of it remain.
   */
  presentFile(access: Access, record: NodeRecord): TaggedFileDto {
    const shown = shownOf(access, record);
    const hidden = access.exposure.transforms('metadata') ? {} : (record.metadata ?? {});
    const technical = isObject(shown['metadata']) ? shown['metadata'] : hidden;
    const kinds = {
      data_type: text(technical['data_type']) ?? 'other',
      structure_type: text(technical['structure_type']) ?? 'unstructured',
    };
    const dates = { created_at: shown['created_at'] as string, updated_at: shown['updated_at'] as string };
    if (access.exposure.detail === 'minimal') return { id: record.id, ...kinds, ...dates };
    return {
      id: record.id,
      filename: text(shown['title']),
      content_type: text(technical['mime_type']),
      size: typeof technical['size_bytes'] === 'number' ? technical['size_bytes'] : null,
      ...kinds,
      format: text(technical['format']),
      ...('owner_id' in shown ? { owner_id: shown['owner_id'] as string } : {}),
      tag_ids: record.tag_ids.filter((id) => discovers(access, id)),
      ...('metadata' in shown ? { metadata: shown['metadata'] as Record<string, unknown> | null } : {}),
      ...dates,
    };
  }
}

/** Id and title of a node, cut as the node itself would be. */
function presentLabel(access: Access, { id, title, ...facts }: NodeLabel): TaggedNodeDto {
  if (access.exposure.isIdentity) return { id, title };
  return access.exposure.expose(
    { id, title },
    factsOf({ id, ...facts } as NodeRecord),
  ) as unknown as TaggedNodeDto;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
