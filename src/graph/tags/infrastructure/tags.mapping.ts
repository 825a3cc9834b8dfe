import { EntitySchema } from 'typeorm';
import { type Tag } from '../domain/tag.js';

/** Table tags: a row is a Tag as it is. */
export const tagMapping = new EntitySchema<Tag>({
  name: 'tag',
  tableName: 'tags',
  columns: {
    owner_id: { type: 'uuid', primary: true },
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    name_key: { type: 'text' },
    color: { type: 'text', nullable: true },
    category: { type: 'text', nullable: true },
    description: { type: 'text', nullable: true },
    parent_tag_id: { type: 'uuid', nullable: true },
    version: { type: 'integer' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    deleted_at: { type: 'timestamptz', nullable: true },
  },
});
