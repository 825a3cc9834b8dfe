import { pathToFileURL } from 'node:url';
import { ErasureService } from '../../src/portability/application/erasure.service.js';
import { ErasureQueries } from '../../src/portability/infrastructure/erasure.queries.js';
import { freshDatabase, onPostgres } from '../support/database.js';
import { Workshop } from '../support/server.js';
import { World } from '../support/world.js';
import { fullAccount } from './full-account.js';
import { placesOf, storedWith } from './places.js';

const PASSWORD = 'correct horse battery';
const MARK = 'markedforerasure';
const PLANT = `--import ${pathToFileURL('fault/plants/dies-at.mjs').href}`;
/** A larger account with NODES=5000 FILES=200. */
const NODES = Number(process.env.NODES ?? 40);
const FILES = Number(process.env.FILES ?? 5);
const BATCH = 40;
/** The statements at which the process dies; with MOMENTS=all those of all tables. */
const MOMENTS =
  process.env.MOMENTS === 'all'
    ? [...ErasureQueries.tables.map((table) => `DELETE FROM ${table} `), 'rm 1', `rm ${FILES}`]
    : ['INSERT INTO erasures', 'DELETE FROM idempotency_keys ', 'rm 3'];

describe('SIGKILL', () => {
  const workshop = new Workshop();
  const bases: { drop: () => Promise<void> }[] = [];
  afterAll(async () => {
    await workshop.clear();
    for (const { drop } of bases) await drop();
  });

  /** A place of its own, which outlives the processes that are in it. */
  async function place(): Promise<Record<string, string>> {
    const base = onPostgres ? await freshDatabase() : null;
    if (base !== null) bases.push(base);
    return { ...(await workshop.settings(base)), RATE_LIMITS: 'off' };
  }

  async function inhabit(environment: Record<string, string>): Promise<void> {
    const world = await World.startHere(environment);
    try {
      const { user } = await fullAccount(world, MARK);
      for (let made = 0; made < NODES; made += BATCH) {
        const nodes = Array.from({ length: BATCH }, (_, i) => ({
          title: `${MARK} ${made + i}`,
          node_type: 'note',
        }));
        expect((await user.post('/nodes/batch', { nodes })).status).toBe(201);
      }
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      for (let i = 0; i < FILES; i++) {
        const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${MARK}.txt"\r\n\r\n`;
        const { status } = await user.post('/raw-files', `${head}${MARK} ${i}\r\n--x--\r\n`, { headers });
        expect(status).toBe(201);
      }
    } finally {
      await world.stop();
    }
  }

  /** Before the unit of work that ends the account, all of it stands. */
  async function eraseAgain(world: World): Promise<void> {
    const { body } = await world.api.post('/auth/login', {
      email: `${MARK}@example.org`,
      password: PASSWORD,
    });
    const alice = world.api.with({ Authorization: `Bearer ${body.access_token}` });
    expect((await alice.get('/nodes?limit=1')).body.total).toBeGreaterThanOrEqual(NODES);
    expect((await storedWith(world, MARK)).length).toBeGreaterThanOrEqual(FILES);
    expect((await alice.delete('/auth/me', { password: PASSWORD })).status).toBe(204);
  }

  it.each(MOMENTS)(
    'an erasure that is killed in the middle at "%s" is finished by the next start, or was never begun',
    async (moment) => {
      const environment = await place();
      await inhabit(environment);
      const server = await workshop.serve({ ...environment, NODE_OPTIONS: PLANT, FAULT_DIES_AT: moment });
      const alice = await server.logIn({ email: `${MARK}@example.org`, password: PASSWORD });
      await expect(alice.delete('/auth/me', { password: PASSWORD })).rejects.toThrow();
      expect((await server.ended).signal).toBe('SIGKILL');

      const world = await World.startHere(environment);
      try {
        await world.nest.get(ErasureService).resumed;
        if (/^INSERT|group_/.test(moment)) await eraseAgain(world);
        expect(await placesOf(world, MARK)).toEqual([]);
        expect(await storedWith(world, MARK)).toEqual([]);
      } finally {
        await world.stop();
      }
    },
  );
});
