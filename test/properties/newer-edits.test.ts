import fc from 'fast-check';
import { node } from '../support/worlds/nodes.js';
import { proposed, proposer, ready } from '../support/worlds/proposals.js';
import { type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261125);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 60 : 25));

const NAMES = ['Ada', 'Bob', 'Cleo'];
/** A person's pin is hidden from the app. */
interface Person {
  name: string;
  pin?: number;
}
interface State {
  title: string;
  value: string;
  note: string;
  people: Person[];
}
const KEYS = ['title', 'value', 'note', 'people'] as const;
type Key = (typeof KEYS)[number];
type Edit = Exclude<Key, 'people'> | 'names' | 'pins';

const story = fc.record({
  /** The fields that the app proposes, and its list of people. */
  words: fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1 }),
  list: fc.shuffledSubarray([...NAMES], { minLength: 1 }),
  adds: fc.boolean(),
  namesBase: fc.boolean(),
  before: edits(),
  after: edits(),
  byApp: fc.boolean(),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

function edits() {
  return fc.uniqueArray(fc.constantFrom<Edit>('title', 'value', 'note', 'names', 'pins'), { maxLength: 2 });
}

const bodyOf = ({ title, value, note, people }: State) => ({ title, value, metadata: { note, people } });

function edited(state: State, edit: Edit, count: number): State {
  const changed = (person: Person): Person =>
    edit === 'pins' ? { ...person, pin: count } : { ...person, name: `${person.name} ${count}` };
  if (edit === 'pins' || edit === 'names') return { ...state, people: state.people.map(changed) };
  return { ...state, [edit]: `mine ${count}` };
}

/** Every newer edit of the user survives a proposal, and so does every hidden part (rules 8.7c and 8.7g). */
describe(`random edits between a proposal and its application (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let alice: TestUser;
  let app: Client;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    const paths = ['metadata.people.pin'];
    app = await proposer(world, alice, 'all', {
      transformations: [{ type: 'field_mask', config: { paths } }],
    });
  });
  afterAll(() => world.stop());

  async function tell({ words, list, adds, namesBase, before, after, byApp }: Story): Promise<void> {
    let state: State = {
      title: 'first',
      value: 'first',
      note: 'first',
      people: NAMES.map((name) => ({ name, pin: 0 })),
    };
    const { id } = await node(alice, bodyOf(state));
    let count = 0;
    const edit = async (edits: readonly Edit[]) => {
      for (const one of edits) {
        state = edited(state, one, ++count);
        await alice.put(`/nodes/${id}`, bodyOf(state));
      }
    };
    const people: Person[] = [...list.map((name) => ({ name })), ...(adds ? [{ name: 'Dora' }] : [])];
    const wanted = { title: 'proposed', value: 'proposed', note: 'proposed', people };
    const isSaid = (key: Key) => words.includes(key);
    // A value that is written back as it is shown is no change.
    const isWord = (key: Key) => isSaid(key) && (key !== 'people' || adds || list.join() !== NAMES.join());
    const top = (['title', 'value'] as const).filter(isSaid);
    const inner = (['note', 'people'] as const).filter(isSaid);
    const metadata = Object.fromEntries(inner.map((key) => [key, wanted[key]]));
    const changes = {
      ...Object.fromEntries(top.map((key) => [key, wanted[key]])),
      ...(inner.length > 0 ? { metadata } : {}),
    };
    const canonical_data = { node_id: id, changes, ...(namesBase ? { base_version: 1 } : {}) };
    const proposal = (await proposed(app, { type: 'UPDATE_NODE', canonical_data })).id as string;
    await edit(before);
    expect((await ready(app, proposal)).status).toBe(200);
    await alice.post(`/proposals/${proposal}/approve`, {});
    await edit(after);
    const done = new Set([...before, ...after]);
    const isLost =
      (['title', 'value', 'note'] as const).some((key) => isWord(key) && done.has(key)) ||
      (isWord('people') && (done.has('names') || (!byApp && done.has('pins'))));
    const diff = (await (byApp ? app : alice).get(`/proposals/${proposal}/diff`)).body;
    expect(diff.conflicts > 0).toBe(isLost);
    const answer = await (byApp ? app : alice).post(`/proposals/${proposal}/apply`);
    expect(answer.body.status).toBe(isLost ? 'FAILED' : 'APPLIED');
    const pins = new Map(state.people.map(({ name, pin }) => [name, pin]));
    const withPin = (person: Person): Person =>
      pins.has(person.name) ? { name: person.name, pin: pins.get(person.name) } : person;
    const proposedState = Object.fromEntries(words.filter(isWord).map((key) => [key, wanted[key]]));
    const expected = isLost
      ? state
      : { ...state, ...proposedState, people: isWord('people') ? people.map(withPin) : state.people };
    expect((await alice.get(`/nodes/${id}`)).body).toMatchObject(bodyOf(expected));
  }

  it('an applied proposal loses nothing that the user wrote or that is hidden from the app', async () => {
    await fc.assert(fc.asyncProperty(story, tell), { seed: SEED, numRuns: RUNS });
  }, 600_000);
});
