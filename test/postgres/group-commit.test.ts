import pg from 'pg';
import { SharedRows } from '../kernel/shared-rows.js';
import { freshDatabase } from '../support/database.js';

describe('group commit', () => {
  let url: string;
  let rows: SharedRows;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, drop } = await freshDatabase());
    rows = await SharedRows.on(url);
  });
  afterAll(async () => {
    await rows.database.close();
    await drop();
  });

  it('units of work that are one new row and its change wait for whoever holds the counter of their owner, and others do not', async () => {
    const [held, free] = (await rows.owners(2)) as [string, string];
    const other = new pg.Client(url);
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('UPDATE sequences SET changes = changes + 1 WHERE id = $1', [held]);
      let isWritten = false;
      const waiting = rows.write(held).then(() => (isWritten = true));
      await rows.write(free);
      expect([isWritten, (await rows.log(free)).length]).toEqual([false, 1]);
      await other.query('COMMIT');
      await waiting;
      expect((await rows.log(held)).map(({ sequence }) => sequence)).toEqual([2]);
    } finally {
      await other.end();
    }
  });

  it('units of work that are one new row and its change of several processes are numbered without gaps and without doubles', async () => {
    const ids = await rows.owners(3);
    const other = await SharedRows.on(url);
    try {
      for (let round = 0; round < 20; round++)
        await Promise.all(
          ids.flatMap((id) => [rows.write(id), other.write(id), rows.write(id), other.write(id)]),
        );
    } finally {
      await other.database.close();
    }
    for (const id of ids) {
      const logged = await rows.log(id);
      expect(logged.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 80 }, (_, index) => index + 1),
      );
      const times = logged.map(({ at }) => at.getTime());
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });
});
