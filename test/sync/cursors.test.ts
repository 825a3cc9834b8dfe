import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { EncryptionKey } from '../../src/kernel/secrets/encryption-key.js';
import { Cursors } from '../../src/sync/application/cursors.service.js';
import { fromBytes, toBytes, toPaddedBytes } from '../../src/sync/domain/replica-bytes.js';
import {
  type Base,
  lastMomentOf,
  lowestKey,
  NOTHING,
  type Progress,
  READING,
  type Replica,
} from '../../src/sync/domain/replica.js';
import { ALL, parseScope, type Scope } from '../../src/sync/domain/scope.js';
import { codeOf, node, profile } from '../support/worlds/nodes.js';
import { Chance, seedOf } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { pull } from './pages.js';

const number = fc.nat({ max: 2 ** 40 });
const moment = fc.record({ changes: number, app: fc.nat({ max: 1000 }) });
const base: fc.Arbitrary<Base> = fc
  .record({
    order: fc.constantFrom('last change' as const, 'creation' as const),
    start: number,
    end: moment,
    steps: fc.array(fc.record({ upTo: number, at: moment }), { maxLength: 5 }),
  })
  .map(({ order, start, end, steps }) => {
    let before = { upTo: lowestKey({ order, start }), at: end };
    const seams = steps.map(({ upTo, at }) => {
      const later = { changes: before.at.changes + at.changes, app: before.at.app + at.app };
      return (before = { upTo: before.upTo + upTo, at: later });
    });
    return { order, start, end, seams };
  });
const progress: fc.Arbitrary<Progress> = fc.record({
  base: fc.option(base),
  pass: fc.option(
    fc.tuple(base, number, moment).map(([pass, further, since]) => {
      const { changes, app } = lastMomentOf(pass);
      const alike = { changes: changes + since.changes, app: app + since.app };
      return { ...pass, reached: lowestKey(pass) + further, alike };
    }),
  ),
});
const replica: fc.Arbitrary<Replica> = fc
  .record({
    nodes: progress,
    parts: fc.record({ tags: progress, relationships: progress }, { requiredKeys: [] }),
    counted: number,
    reading: fc.nat({ max: 200 }),
  })
  .map(({ nodes, ...rest }) => ({ ...nodes, ...rest }));

/** A text changed like an attacker might change it. */
function tampered(text: string, chance: Chance): string {
  const at = chance.below(text.length);
  const letter = chance.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']);
  const bytes = Buffer.from(text, 'base64url');
  switch (chance.below(8)) {
    case 0:
      return `${text.slice(0, at)}${text.slice(at + 1)}`;
    case 1:
      return `${text.slice(0, at)}${letter}${text.slice(at)}`;
    case 2:
      return text.slice(0, at);
    case 3:
      return `${text}${chance.pick(['=', ' ', 'A', '%', '.', '\n', 'AA'])}`;
    case 4:
      return randomBytes(bytes.length).toString('base64url');
    case 5:
      bytes[chance.below(bytes.length)]! ^= 1 << chance.below(8);
      return bytes.toString('base64url');
    case 6:
      return `${text.slice(at)}${text.slice(0, at)}`;
    default:
      return `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
  }
}

describe('encoding', () => {
  it('the binary form of a replica is parsed as it was written', () => {
    fc.assert(
      fc.property(replica, (one) => expect(fromBytes(toBytes(one))).toEqual(one)),
      { numRuns: 2_000 },
    );
  });

  it('the binary form of a replica is parsed with the position as its number if it was written without one', () => {
    const end = { changes: 12, app: 2 };
    const order = 'last change';
    const base = { order, start: 0, end, seams: [] };
    expect(fromBytes(Buffer.from([1, 1, 0, 12, 2, 0]))).toEqual({
      base,
      pass: null,
      parts: {},
      counted: 12,
      reading: 0,
    });
    const ended = { changes: 20, app: 2 };
    const pass = { order, start: 12, end: ended, seams: [], reached: 15, alike: ended };
    const bytes = [1, 3, 0, 12, 2, 0, 12, 20, 2, 0, 3];
    expect(fromBytes(Buffer.from(bytes))).toEqual({ base, pass, parts: {}, counted: 15, reading: 0 });
    expect(fromBytes(Buffer.from([...bytes, 0]))).toBeNull();
    const read = fromBytes(Buffer.from([3, 7, 9, ...bytes.slice(2), 15]));
    expect(read).toEqual({ base, pass, parts: {}, counted: 15, reading: 9 });
  });

  it('the binary form of a replica has the same length for any numbers in it', () => {
    const held = (number: number): Replica => ({
      base: { order: 'last change', start: 0, end: { changes: number, app: 2 }, seams: [] },
      pass: {
        order: 'creation',
        start: number,
        end: { changes: 2 * number, app: 2 },
        seams: [],
        reached: number,
        alike: { changes: 3 * number, app: 2 },
      },
      parts: {},
      counted: number,
      reading: READING,
    });
    const bytes = [1, 1_000, 1_000_000_000].map((number) => toPaddedBytes(held(number), 64));
    expect(bytes.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(fromBytes(bytes[1] as Buffer)).toEqual(held(1_000));
  });

  it('the binary form of a replica is refused without an exception if any byte is wrong', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const read = fromBytes(bytes);
        if (read !== null) expect(fromBytes(toBytes(read))).toEqual(read);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('sealing', () => {
  let world: World;

  withWorld((started) => (world = started));

  it('a sync cursor with any change, in 10,000 ways, opens for nobody', () => {
    const chance = new Chance(seedOf('tampered cursors'));
    const cursors = new Cursors(world.nest.get(EncryptionKey));
    const viewer = { ownerId: randomUUID(), appId: randomUUID() };
    const held: Replica = {
      base: { order: 'last change', start: 0, end: { changes: 12_345, app: 2 }, seams: [] },
      pass: null,
      parts: { tags: { base: null, pass: null } },
      counted: 9,
      reading: READING,
    };
    const cursor = cursors.seal(viewer, ALL, held);
    expect(cursors.open(viewer, ALL, cursor)).toEqual(held);
    let count = 0;
    while (count < 10_000) {
      const changed = tampered(cursor, chance);
      if (changed === cursor) continue;
      count++;
      expect([changed, cursors.open(viewer, ALL, changed)]).toEqual([changed, null]);
    }
  });

  it('a sync cursor with a fault is refused over HTTP with one code', async () => {
    const chance = new Chance(seedOf('tampered cursors over HTTP'));
    const alice = await world.user();
    await node(alice);
    const { cursor } = await pull(alice);
    for (let count = 0; count < 200;) {
      const changed = tampered(cursor, chance);
      if (changed === cursor) continue;
      count++;
      const answer = await alice.get(`/sync?cursor=${encodeURIComponent(changed)}`);
      expect([changed, ...codeOf(answer)]).toEqual([changed, 400, 'INVALID_CURSOR']);
    }
  });

  it('a sync cursor of an app that an earlier release filled by another reading of rules is refused (rule 7.10a)', async () => {
    const cursors = new Cursors(world.nest.get(EncryptionKey));
    const alice = await world.user();
    await node(alice);
    const { id: appId, ...keys } = await world.app({ requested: { ...everything, tags: { read: true } } });
    const app = await alice.lets({ id: appId, ...keys }, profile({ read: 'all' }));
    const older = async (client: Client, appId: string | null): Promise<string> => {
      const viewer = { ownerId: alice.id, appId };
      const { cursor } = await pull(client);
      const held = cursors.open(viewer, ALL, cursor) as Replica;
      return cursors.seal(viewer, ALL, { ...held, reading: READING - 1 });
    };
    const refused = await app.get(`/sync?cursor=${await older(app, appId)}`);
    expect(codeOf(refused)).toEqual([400, 'INVALID_CURSOR']);
    expect(refused.body.error.message).toContain('start again without a cursor');
    // Rules hide nothing from owners.
    expect((await pull(alice, { cursor: await older(alice, null) })).changes).toEqual([]);
  });

  it('a sync cursor is bound to its caller, its user and its scope, and to the key of the service alone', async () => {
    const cursors = new Cursors(world.nest.get(EncryptionKey));
    const [ownerId, appId] = [randomUUID(), randomUUID()];
    const held: Replica = NOTHING;
    const cursor = cursors.seal({ ownerId, appId }, ALL, held);
    expect(new Cursors(world.nest.get(EncryptionKey)).open({ ownerId, appId }, ALL, cursor)).toEqual(held);
    const scope = parseScope(`tag:${appId}`) as Scope;
    for (const [viewer, other] of [
      [{ ownerId, appId: null }, ALL],
      [{ ownerId, appId: randomUUID() }, ALL],
      [{ ownerId: randomUUID(), appId }, ALL],
      [{ ownerId: appId, appId: ownerId }, ALL],
      [{ ownerId, appId }, scope],
    ] as const)
      expect(cursors.open(viewer, other, cursor)).toBeNull();
    const config = { encryptionKey: randomBytes(32), dataDir: '' };
    expect(new Cursors(await EncryptionKey.load(config)).open({ ownerId, appId }, ALL, cursor)).toBeNull();
  });
});
