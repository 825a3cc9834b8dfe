import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { toolNamed } from '../../src/mcp/application/tools/tools.js';
import { Pool } from '../interference/pool.js';
import { Chance, seedOf } from '../properties/random.js';
import { hostileString } from '../support/hostile-strings.js';
import { sendMessage } from '../support/mcp.js';
import { mcpOperations, messageOf, toArguments } from '../support/mcp-operations.js';
import { type Operation } from '../support/operations.js';
import { bodyOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';
import { requestsOf, type Shape, shapedBody, type Wanted } from './fuzz/arbitrary-requests.js';

/** Cases for each tool and message. The command tries many more (npm run fuzz:api). */
const CASES = Number(process.env.RUNS ?? 20);
const OPERATIONS = new RegExp(process.env.ONLY ?? '');

interface Sent {
  method: string;
  params: unknown;
}
type Reply = Pick<Awaited<ReturnType<typeof sendMessage>>, 'status' | 'message'>;

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);

/** The fault of an answer: no JSON-RPC, a fault of ours, or content that does not fit the tool's schema. */
function faultOf({ method, params }: Sent, { status, message }: Reply): string | null {
  if (status >= 500) return `status ${status}`;
  if (message.jsonrpc !== '2.0' || (message.result === undefined) === (message.error === undefined))
    return `no answer of JSON-RPC: ${JSON.stringify(message)}`;
  if (message.error !== undefined)
    return Number.isInteger(message.error.code) && message.error.code !== -32603
      ? null
      : `error ${JSON.stringify(message.error)}`;
  if (method !== 'tools/call') return null;
  const { content, isError, structuredContent, _meta } = message.result;
  if (typeof content?.[0]?.text !== 'string') return 'no text';
  if (isError === true) {
    const refused = (_meta?.['personal-identity-graph/refusal'] ?? { status: 400 }) as { status: number };
    return refused.status >= 500 ? `refused by ${JSON.stringify(refused)}` : null;
  }
  const { output } = toolNamed((params as { name: string }).name) ?? {};
  return output !== undefined && ajv.validate({ ...output }, structuredContent)
    ? null
    : `does not fit: ${ajv.errorsText()}`;
}

/** Random arguments of every tool, resource, prompt and completion: the service does not fail, and answers in form. */
describe('fuzzing of messages of MCP (rules 15.1, 15.3b)', () => {
  let world: World;
  let place: Place;
  let pool: Pool;
  let number = 0;
  const seed = seedOf('fuzz');
  const operations = mcpOperations().filter(({ name }) => OPERATIONS.test(name));

  beforeAll(async () => {
    world = await World.startHere();
    await settle();
  }, 120_000);
  afterAll(() => world.stop());

  async function settle(): Promise<void> {
    place = await Place.make(world);
    pool = new Pool(new Chance(seed + ++number));
    for (const [kind, id] of Object.entries(place.things)) pool.knows(kind, id);
  }

  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    if ('wanted' in value) {
      const { wanted, nth } = value as Wanted;
      return nth < 20 && place.things[wanted] !== undefined ? place.things[wanted] : pool.pick(wanted);
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
  };

  function argumentsOf(operation: Operation, shape: Shape): unknown {
    if (operation.example === undefined) return toArguments(filled(shape.query));
    const required = operation.fields.filter(({ isRequired }) => isRequired).map(({ at }) => String(at[0]));
    const working = bodyOf(operation, place.things, ++number);
    const body = shapedBody(filled(shape.body) as Shape['body'], working, required);
    return toArguments(typeof body === 'string' ? JSON.parse(body) : body);
  }

  function messageFor(operation: Operation, shape: Shape, hostile: string): Sent {
    const sent = messageOf(operation.path, {});
    const given = argumentsOf(operation, shape);
    if (sent.method === 'tools/call') return { ...sent, params: { ...sent.params, arguments: given } };
    const isPlain = ++number % 4 === 0;
    if (sent.method === 'resources/read') {
      const uri = isPlain ? `graph://node/${place.things.node}` : `graph://${hostile}`;
      return { ...sent, params: { uri: number % 8 === 1 ? 'graph://tag/shelf' : uri } };
    }
    if (sent.method === 'completion/complete')
      return {
        ...sent,
        params: { ...sent.params, argument: { name: 'tag', value: hostile } },
      };
    return { ...sent, params: { ...sent.params, ...(isPlain ? {} : { cursor: hostile }) } };
  }

  const send = (sent: Sent): Promise<Reply> => {
    const operation = { callers: 'key' } as Operation;
    return sendMessage(place.clientFor(operation), { jsonrpc: '2.0', id: 1, ...sent });
  };

  it('an answer with another form, a fault of ours or a field too few would be caught', async () => {
    const sent = { method: 'tools/call', params: { name: 'list_tags', arguments: {} } };
    const { status, message } = await send(sent);
    expect(faultOf(sent, { status, message })).toBeNull();
    const { tags: _, ...less } = message.result.structuredContent;
    const result = { ...message.result, structuredContent: less };
    expect(faultOf(sent, { status, message: { ...message, result } })).toMatch(/tags/);
    expect(faultOf(sent, { status: 500, message })).toMatch(/500/);
    expect(faultOf(sent, { status, message: { jsonrpc: '2.0', error: { code: -32603 } } })).toMatch(/32603/);
    expect(faultOf(sent, { status, message: {} })).toMatch(/JSON-RPC/);
  });

  it('every tool and message with random arguments never fails, and answers in form', async () => {
    const faults: string[] = [];
    const reached = new Set<string>();
    for (const operation of operations) {
      const hostile = fc.nat().map((one) => hostileString(new Chance(one), 2_000));
      const property = fc.asyncProperty(requestsOf(operation), hostile, async (shape, text) => {
        const sent = messageFor(operation, shape, text);
        const reply = await send(sent);
        if (reply.message.result !== undefined && reply.message.result.isError !== true)
          reached.add(operation.name);
        const fault = faultOf(sent, reply);
        if (fault !== null) throw new Error(`${JSON.stringify(sent).slice(0, 600)}: ${fault}`);
      });
      const { failed, errorInstance } = await fc.check(property, { numRuns: CASES, seed });
      if (failed) faults.push(`${operation.name}: ${(errorInstance as Error).message}`);
      if (/delete/.test(operation.name)) await settle();
    }
    const never = operations.map(({ name }) => name).filter((name) => !reached.has(name));
    console.log(`never answered: ${never.join(', ') || 'none'}`);
    expect(faults).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }, 36_000_000);
});
