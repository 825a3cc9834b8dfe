import pg from 'pg';
import { type EmbeddedDatabase, openEmbedded } from '../../src/libs/embedded-postgres/embedded.js';
import { readsValues } from './database-values.js';

let database: EmbeddedDatabase;
readsValues('the embedded database', {
  open: async () => {
    database = await openEmbedded('memory://');
    return new pg.Pool(database.poolConfig);
  },
  close: () => database.close(),
});
