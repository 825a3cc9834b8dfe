import pg from 'pg';
import { readsValues } from '../kernel/database-values.js';
import { freshDatabase } from '../support/database.js';

let drop: () => Promise<void>;
readsValues('a server', {
  open: async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    return new pg.Pool({ connectionString: fresh.url, max: 1 });
  },
  close: () => drop(),
});
