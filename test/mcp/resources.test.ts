import { type Client } from '../support/client.js';
import { sendMessage } from '../support/mcp.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const NOT_FOUND = { code: -32602, message: expect.stringMatching(/^Resource not found/) };

describe('resources by their names and cursors (rule 15.4)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  const send = async (method: string, params: object) =>
    (await sendMessage(client, { jsonrpc: '2.0', id: 1, method, params })).message;
  const read = (uri: string) => send('resources/read', { uri });
  it('a tag is found by its name among hundreds that contain it', async () => {
    const names = Array.from({ length: 250 }, (_, at) => `azeta ${String(at).padStart(3, '0')}`);
    for (let from = 0; from < 250; from += 50)
      await alice.post('/nodes', { title: 'many', node_type: 'note', tags: names.slice(from, from + 50) });
    await alice.post('/nodes', { title: 'The one', node_type: 'note', tags: ['Zeta'] });
    const { result } = await read('graph://tag/zeta');
    expect(JSON.parse(result.contents[0].text as string).nodes).toMatchObject([{ title: 'The one' }]);
    expect((await read('graph://tag/zet')).error).toMatchObject(NOT_FOUND);
  });

  it.each([
    ['of another base', '0x32'],
    ['below zero', '-1'],
    ['with a fraction', '1.5'],
    ['with an exponent', '1e3'],
    ['of letters', 'a'],
    ['of no characters', ''],
    ['beyond all numbers', '9'.repeat(30)],
    ['of 20,000 characters', 'x'.repeat(20_000)],
  ])('a cursor %s is refused as a fault of parameters', async (_, cursor) => {
    expect((await send('resources/list', { cursor })).error?.code).toBe(-32602);
  });

  it.each([
    ['a name', `graph://tag/${'x'.repeat(20_000)}`],
    ['a name in another encoding', `graph://tag/${'%20'.repeat(20_000)}`],
    ['no address', 'x'.repeat(20_000)],
  ])('an address of 20,000 characters is a fault of parameters: %s', async (_, uri) => {
    const { error } = await read(uri);
    expect(error).toMatchObject({ code: -32602, message: 'uri must have at most 2048 characters' });
  });

  it('a name longer than any tag has is not found', async () => {
    expect((await read(`graph://tag/${'x'.repeat(1500)}`)).error).toMatchObject(NOT_FOUND);
  });

  it('an argument of a prompt above 1,000 characters is a fault of parameters', async () => {
    const topic = (length: number) =>
      send('prompts/get', { name: 'what_do_you_know', arguments: { topic: 'x'.repeat(length) } });
    expect((await topic(1000)).result.messages).toHaveLength(1);
    expect((await topic(1001)).error).toMatchObject({ code: -32602 });
  });
});
