import { type EntitySchema } from 'typeorm';
import { relationshipMapping } from './relationships/index.js';
import { tagMapping } from './tags/index.js';

/** The entities of the graph that use TypeORM; nodes are written and read by named statements. */
export const graphEntities: EntitySchema[] = [tagMapping, relationshipMapping] as EntitySchema[];
