import { EntitySchema } from 'typeorm';
import { type Relationship } from '../domain/relationship.js';

/** Table relationships: a row is a Relationship as it is. */
export const relationshipMapping = new EntitySchema<Relationship>({
  name: 'relationship',
  tableName: 'relationships',
  columns: {
    owner_id: { type: 'uuid', primary: true },
    id: { type: 'uuid', primary: true },
    from_node_id: { type: 'uuid' },
    to_node_id: { type: 'uuid' },
    relationship_type: { type: 'text' },
    strength: { type: 'double precision', nullable: true },
    confidence: { type: 'double precision', nullable: true },
    context: { type: 'text', nullable: true },
    bidirectional: { type: 'boolean' },
    graph_view: { type: 'text' },
    emotion_type: { type: 'text', nullable: true },
    sentiment_score: { type: 'double precision', nullable: true },
    version: { type: 'integer' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    deleted_at: { type: 'timestamptz', nullable: true },
  },
});
