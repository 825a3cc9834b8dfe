import { Chance, seedOf } from '../properties/random.js';
import { type Answer } from '../support/client.js';
import { hostileString, isStorable, NOT_UTF8, PATTERNS } from '../support/hostile-strings.js';
import { type Operation, operationsOf, withValue } from '../support/operations.js';
import { bodyOf, ELSEWHERE, endsSomething, idOf, pathOf, Place } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import {
  extraRows,
  faultOf,
  nameOf,
  readBack,
  sendWith,
  type Slot,
  slotsOf,
  wrongOutcome,
} from './hostile-requests.js';

/** The number of strings, drawn again in each run. */
const STRINGS = Number(process.env['STRINGS'] ?? 1_000);
/** A request line and its headers fit into 16 KiB. */
const LONGEST_IN_HEAD = 1_200;

describe('every parameter with hostile strings', () => {
  let world: World;
  let operations: Operation[];
  let slots: Slot[];
  let place: Place;
  let quiet: TestUser;
  let before: string[];
  let number = 0;

  beforeAll(async () => {
    world = await World.startHere();
    operations = operationsOf(world.nest);
    slots = slotsOf(operations);
    place = await newPlace();
    quiet = (await newPlace()).user;
    before = await everythingOf(quiet);
  }, 60_000);
  afterAll(() => world.stop());

  /** A place with rows that patterns would match and texts do not. */
  async function newPlace(): Promise<Place> {
    const made = await Place.make(world);
    for (const name of ['axb', 'a_b', 'a%b', 'a\\b', '100%']) {
      await idOf(made.user, '/tags', { name, category: name });
      await idOf(made.user, '/nodes', { title: name, node_type: name, tags: [name] });
    }
    return made;
  }

  const everythingOf = (user: TestUser): Promise<string[]> =>
    Promise.all(
      ['/nodes', '/tags', '/relationships', '/exposure-profiles', '/authorizations', '/apps', '/auth/me'].map(
        // An app that reads is used: its time of last use moves.
        async (path) => (await user.get(path)).text.replace(/"last_used_at":("[^"]*"|null)/g, ''),
      ),
    );

  const has = (path: string): boolean =>
    operations.some(
      (known) =>
        known.method === 'GET' && new RegExp(`^${known.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );

  async function renewAfter(operation: Operation, answer: Answer): Promise<void> {
    if (endsSomething(operation, answer)) place = await newPlace();
  }

  /** The faults of this text in this slot. */
  async function attempt(slot: Slot, text: string): Promise<string[]> {
    const sent = await sendWith(place, slot, { text, number: ++number });
    const found = [
      faultOf(sent.answer),
      wrongOutcome(slot, text, sent),
      extraRows(slot, text, sent),
      await readBack(slot, text, sent, has),
    ];
    await renewAfter(slot.operation, sent.answer);
    return found
      .filter((fault) => fault !== null)
      .map((fault) => `${nameOf(slot)} with ${JSON.stringify(text.slice(0, 100))}: ${fault.slice(0, 300)}`);
  }

  it('accepts every plausible request, so that later ones reach the code behind the checks', async () => {
    const refused: string[] = [];
    for (const operation of operations.filter(({ name }) => !ELSEWHERE.test(name))) {
      const body = bodyOf(operation, place.things, ++number);
      const path = pathOf(operation, place.things);
      const answer = await place.clientFor(operation).send(operation.method, path, body);
      if (answer.status >= 300) refused.push(`${operation.name}: ${answer.status} ${answer.text}`);
      await renewAfter(operation, answer);
    }
    expect(refused).toEqual([]);
  });

  it(`takes ${STRINGS} of them literally or refuses them`, async () => {
    const chance = new Chance(seedOf('hostile strings'));
    const faults: string[] = [];
    for (let i = 0; i < STRINGS; i++) {
      const slot = slots[i % slots.length] as Slot;
      const text = hostileString(chance, slot.kind === 'body' ? undefined : LONGEST_IN_HEAD);
      faults.push(...(await attempt(slot, text)));
    }
    expect(faults).toEqual([]);
  }, 900_000);

  it('takes the patterns of a database literally in every filter', async () => {
    const faults: string[] = [];
    const filters = slots.filter(
      (slot) =>
        slot.kind === 'query' && slot.parameter.schema.type === 'string' && !slot.parameter.schema.enum,
    );
    for (const slot of filters)
      for (const pattern of PATTERNS) faults.push(...(await attempt(slot, pattern)));
    expect(filters.length).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  }, 300_000);

  it('finds texts that contain a pattern, literally', async () => {
    const { user } = await newPlace();
    const total = async (query: string, text: string): Promise<number> =>
      (await user.get(`${query}=${encodeURIComponent(text)}`)).body.total;
    for (const [text, rows] of [
      ['_', 1],
      ['%', 2],
      ['\\', 1],
      ['a_b', 1],
      ['a%b', 1],
      ['A', 4],
    ] as const) {
      expect([text, await total('/nodes?search', text)]).toEqual([text, rows]);
    }
    for (const query of ['/nodes?node_type', '/tags?category']) {
      for (const text of ['a_b', 'a%b', 'a\\b', '100%']) expect(await total(query, text)).toBe(1);
      for (const text of ['_', '%', '\\', 'a.b']) expect(await total(query, text)).toBe(0);
    }
  });

  it('refuses bytes that are not UTF-8, in bodies and paths, and matches nothing by them in queries', async () => {
    const faults: string[] = [];
    for (const operation of operations) {
      const [hex] = [NOT_UTF8[faults.length % NOT_UTF8.length] as string];
      for (const bytes of [hex, ...NOT_UTF8.slice(0, operation.example ? NOT_UTF8.length : 0)])
        faults.push(...(await notUtf8(operation, bytes)));
    }
    expect(faults).toEqual([]);
  }, 300_000);

  async function notUtf8(operation: Operation, hex: string): Promise<string[]> {
    const client = place.clientFor(operation);
    const answers: [what: string, wanted: number, answer: Answer][] = [];
    const inPath = hex.replace(/../g, '%$&');
    if (operation.path.includes('{')) {
      const path = operation.path.replace(/\{\w+\}/g, inPath);
      answers.push(['path', 404, await client.send(operation.method, path)]);
    }
    const text = operation.fields.find(({ schema }) => schema.type === 'string');
    if (text) {
      const marked = JSON.stringify(withValue(bodyOf(operation, place.things, ++number), text.at, '@@@@'));
      const [head, tail] = marked.split('@@@@') as [string, string];
      const body = Buffer.concat([Buffer.from(head), Buffer.from(hex, 'hex'), Buffer.from(tail)]);
      const answer = await client.send(operation.method, pathOf(operation, place.things), body);
      answers.push(['body', 400, answer]);
    }
    return answers.flatMap(([what, wanted, answer]) => {
      // A request with an unknown name or without permission is refused before its body is read.
      const isUnread = ELSEWHERE.test(operation.name) && [401, 403, 404, 415].includes(answer.status);
      const isRefused = answer.status === wanted || isUnread;
      const fault = faultOf(answer) ?? (isRefused ? null : `${answer.status} ${answer.text}`);
      return fault === null ? [] : [`${operation.name} ${what} ${hex}: ${fault.slice(0, 300)}`];
    });
  }

  it('leaves other people unchanged', async () => {
    expect(await everythingOf(quiet)).toEqual(before);
    expect(isStorable(before.join())).toBe(true);
  });
});
