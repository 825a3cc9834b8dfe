import { type EntitySchema } from 'typeorm';
import { relationshipMapping } from './relationships.mapping.js';
import { tagMapping } from './tags.mapping.js';

/** What of the graph goes through TypeORM; nodes are written and read by named statements. */
export const graphEntities: EntitySchema[] = [tagMapping, relationshipMapping] as EntitySchema[];
