import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/kernel/clock.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { type Letter, type LetterWriter } from '../../src/kernel/mail/letter.js';
import { LetterWorker } from '../../src/kernel/mail/letter-worker.js';
import { Letters } from '../../src/kernel/mail/letters.js';
import { LetterRows } from '../../src/kernel/mail/letters.repository.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { freshDatabase, onPostgres } from '../support/database.js';
import { Mailbox } from '../support/mailbox.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';
import { withMailbox } from '../support/worlds/with-world.js';

jest.setTimeout(60_000);

interface Greeting {
  to: string;
}

/** Writes ordered letters, and counts them. */
class Greetings implements LetterWriter<Greeting> {
  readonly written: string[] = [];
  mayWrite: (about: Greeting) => Promise<boolean> = () => Promise.resolve(true);

  write({ to }: Greeting): Promise<Letter | null> {
    this.written.push(to);
    return Promise.resolve({ to, subject: 'Grüße', text: `Hello, number ${this.written.length}.\n` });
  }
}

const HOUR_MS = 3_600_000;

/** Orders in the unit of work of the caller's choice. */
const order = ({ nest }: World, to: string, kind = 'greeting'): Promise<void> =>
  nest
    .get(UnitOfWork)
    .run(() => nest.get(Letters).order({ kind, userId: null, about: { to }, lifetimeMs: 12 * HOUR_MS }));
const rowsOf = ({ nest }: World) =>
  nest
    .get(Database)
    .read<{ attempts: number; due_at: Date | null; sealed: string }>(
      sql`SELECT attempts, due_at, sealed FROM letters ORDER BY created_at, id`,
    );
const look = ({ nest }: World): Promise<void> => nest.get(LetterWorker).look();

describe('outbox (rule 1.18)', () => {
  let mailbox: Mailbox;
  let world: World;
  let greetings: Greetings;
  let clock: ReturnType<typeof holdClock>;
  withMailbox((met) => ({ world, mailbox } = met));
  beforeAll(() => {
    greetings = new Greetings();
    world.nest.get(Letters).register('greeting', greetings);
  });
  beforeEach(() => {
    clock = holdClock(world);
    greetings.written.length = 0;
  });
  afterEach(async () => {
    await world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(sql`DELETE FROM letters`));
    mailbox.received.length = 0;
    mailbox.refuses = null;
    greetings.mayWrite = () => Promise.resolve(true);
    letClockRun(world);
  });

  it('the outbox of letters holds a letter exactly when the unit of work that ordered it was committed', async () => {
    const failing = world.nest.get(UnitOfWork).run(async () => {
      await order(world, 'never@example.org');
      throw new Error('planted');
    });
    await expect(failing).rejects.toThrow('planted');
    await order(world, 'anna@example.org');
    await look(world);
    expect(mailbox.received.map(({ to }) => to)).toEqual([['anna@example.org']]);
    expect(await rowsOf(world)).toEqual([]);
  });

  it('the outbox of letters tells nobody who reads the database whom a letter is for', async () => {
    await order(world, 'anna@example.org');
    expect((await rowsOf(world))[0]?.sealed).not.toContain('anna');
    mailbox.refuses = { code: 451, says: 'later' };
    await look(world);
    expect((await rowsOf(world))[0]?.sealed).not.toContain('Hello');
  });

  it('the outbox of letters keeps a letter while the server is down and sends the same one when it is up again', async () => {
    await mailbox.goDown();
    await order(world, 'anna@example.org');
    await look(world);
    await mailbox.goUp();
    await look(world);
    expect(mailbox.received).toEqual([]);
    clock.advance(61);
    await look(world);
    expect(mailbox.received.map(({ text }) => text)).toEqual(['Hello, number 1.\n']);
    expect(greetings.written).toHaveLength(1);
    expect(await rowsOf(world)).toEqual([]);
  });

  it('the outbox of letters tries seven times at most, later each time, and then keeps nothing of the content', async () => {
    mailbox.refuses = { code: 451, says: 'later' };
    await order(world, 'anna@example.org');
    let attempts = 0;
    for (let minutes = 0; minutes < 12 * 60; minutes += 1) {
      await look(world);
      attempts = (await rowsOf(world))[0]?.attempts ?? attempts;
      clock.advance(60);
    }
    expect(attempts).toBe(7);
    expect(await rowsOf(world)).toEqual([{ attempts: 7, due_at: null, sealed: '' }]);
    clock.advance(8 * 24 * 3600);
    await world.nest.get(Housekeeping).sweep();
    expect(await rowsOf(world)).toEqual([]);
  });

  it('the outbox of letters gives up at once what the server refuses for good', async () => {
    mailbox.refuses = { code: 550, says: 'no such user' };
    await order(world, 'gone@example.org');
    await look(world);
    expect(await rowsOf(world)).toEqual([{ attempts: 1, due_at: null, sealed: '' }]);
  });

  it('the outbox of letters sends no letter after its time', async () => {
    await order(world, 'anna@example.org');
    clock.advance(12 * 3600);
    await look(world);
    expect([mailbox.received, await rowsOf(world), greetings.written]).toEqual([[], [], []]);
  });

  it('the outbox of letters drops what its writer does not allow, which is asked outside of any transaction', async () => {
    const asked: boolean[] = [];
    greetings.mayWrite = async () => {
      asked.push(world.nest.get(UnitOfWork).isOpen);
      return Promise.resolve(false);
    };
    await order(world, 'anna@example.org');
    await look(world);
    expect([mailbox.received, await rowsOf(world), asked]).toEqual([[], [], [false]]);
  });

  it('the outbox of letters sends a letter of another kind beside many of one kind, however long those have waited', async () => {
    const other = new Greetings();
    world.nest.get(Letters).register('other', other);
    for (let number = 0; number < 20; number++) await order(world, `person${number}@example.org`);
    clock.advance(60);
    await order(world, 'anna@example.org', 'other');
    const isFirst: boolean[] = [];
    other.mayWrite = () => Promise.resolve(isFirst.push(greetings.written.length < 20) > 0);
    await look(world);
    expect(isFirst).toEqual([true]);
    expect(mailbox.received).toHaveLength(21);
  });

  it('the outbox of letters is emptied by two workers at once without sending a letter twice', async () => {
    const { nest } = world;
    const second = new LetterWorker(
      nest.get(Config),
      nest.get(Letters),
      nest.get(LetterRows),
      nest.get(UnitOfWork),
      nest.get(Clock),
      nest.get(Housekeeping),
    );
    const all = Array.from({ length: 30 }, (_, number) => `person${number}@example.org`);
    for (const to of all) await order(world, to);
    await Promise.all([look(world), second.look()]);
    expect(mailbox.received.flatMap(({ to }) => to).sort()).toEqual([...all].sort());
    expect([...greetings.written].sort()).toEqual([...all].sort());
  });

  it('the outbox of letters hands the letter of a worker that died to another after its lease, with the same Message-ID', async () => {
    await order(world, 'anna@example.org');
    mailbox.refuses = { code: 451, says: 'later' };
    await look(world);
    mailbox.refuses = null;
    const { nest } = world;
    clock.advance(61);
    const now = nest.get(Clock).now();
    const [taken] = await nest
      .get(UnitOfWork)
      .autocommit(() =>
        nest.get(LetterRows).take({ now, until: new Date(now.getTime() + 300_000), limit: 1 }),
      );
    await look(world);
    expect(mailbox.received).toEqual([]);
    clock.advance(301);
    await look(world);
    expect(mailbox.received[0]?.headers['message-id']).toBe(`<${taken?.id}@graph.example>`);
    expect(greetings.written).toHaveLength(1);
  });

  it('the outbox of letters never takes an address for a list of several', async () => {
    await order(world, 'anna@example.org, b@evil.example');
    await look(world);
    expect(mailbox.received.flatMap(({ to }) => to)).not.toContain('b@evil.example');
    expect(mailbox.received.flatMap(({ to }) => to)).not.toContain('anna@example.org');
  });
});

describe('restarts', () => {
  it('letters that were not sent before the service stopped are sent by the one that starts next', async () => {
    const mailbox = await Mailbox.start();
    const folder = mkdtempSync(join(tmpdir(), 'pig-letters-'));
    const database = onPostgres ? await freshDatabase() : null;
    const settings = { ...mailbox.settings, DATA_DIR: folder, DATABASE_URL: database?.url ?? '' };
    const registered = (world: World): World => {
      world.nest.get(Letters).register('greeting', new Greetings());
      return world;
    };
    try {
      await mailbox.goDown();
      const first = registered(await World.startHere(settings));
      await order(first, 'anna@example.org');
      await look(first);
      await order(first, 'bert@example.org');
      await first.stop();
      await mailbox.goUp();
      const second = registered(await World.startHere(settings));
      holdClock(second, new Date(Date.now() + 10 * 60_000));
      await look(second);
      await second.stop();
      expect(mailbox.received.flatMap(({ to }) => to).sort()).toEqual([
        'anna@example.org',
        'bert@example.org',
      ]);
    } finally {
      await mailbox.goDown();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a process with workers', () => {
  it('sends a letter as soon as it is ordered, without being asked', async () => {
    const mailbox = await Mailbox.start();
    const world = await World.startHere({ ...mailbox.settings, WEBHOOK_WORKERS: 'true' });
    try {
      world.nest.get(Letters).register('greeting', new Greetings());
      await order(world, 'anna@example.org');
      await until(() => mailbox.received.length === 1, 'the letter came');
    } finally {
      await world.stop();
      await mailbox.goDown();
    }
  });
});
