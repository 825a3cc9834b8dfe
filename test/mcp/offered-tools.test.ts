import { SYSTEM_SCHEMA_IDS } from '../../src/privacy/index.js';
import { type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { callTool, sendMessage, type ToolResult } from '../support/mcp.js';
import { type TestUser, type World } from '../support/world.js';
import { upload } from '../support/worlds/files.js';
import { withAlice } from '../support/worlds/with-world.js';

const FREEFORM = '__freeform__';
const ENTITY = SYSTEM_SCHEMA_IDS['system:Entity'];
const schemas = (...schema_ids: string[]) => ({ schema_ids, allow_all: false });
const ANY = { schema_ids: [], allow_all: true };
const tags = (...verbs: string[]) => Object.fromEntries(verbs.map((verb) => [verb, true]));
const WRITING = ['propose', 'create', 'edit', 'delete'];

/** Requests of apps, of a person who grants everything. */
const REQUESTS: Record<string, Record<string, unknown>> = {
  everything,
  'schemas for reading alone': { ...everything, schemas: { read: ANY, write: schemas() } },
  'schemas for writing alone': { ...everything, schemas: { read: schemas(), write: ANY } },
  'one schema for reading, another for writing': {
    ...everything,
    schemas: { read: schemas(FREEFORM), write: schemas(ENTITY) },
  },
  'files alone': { tags: {}, files: { read: true }, schemas: { read: ANY } },
  'files, and schemas of notes': { tags: {}, files: { read: true }, schemas: { read: schemas(FREEFORM) } },
  'names of tags': { tags: tags('discover'), schemas: { read: ANY, write: ANY } },
  'suggestions without reading': { tags: tags('propose'), schemas: { write: ANY } },
  'notes of its own without reading': { tags: tags('create'), schemas: { write: schemas(FREEFORM) } },
  'changes without reading': { tags: tags(...WRITING), schemas: { write: ANY } },
};

describe('offers of tools by the effective permissions (rule 15.3a)', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  const make = async (fields: object): Promise<string> =>
    (await alice.post('/nodes', { node_type: 'note', tags: ['sport'], ...fields })).body.id as string;
  const worked = ({ isError, structuredContent: content }: ToolResult): boolean => {
    const lists = ['results', 'nodes', 'tags'].map((name) => content?.[name] as unknown[] | undefined);
    return isError !== true && lists.every((list) => list?.length !== 0);
  };
  /** Calls of each tool, one of which succeeds if any can. */
  const callsOf = async (): Promise<Record<string, object[]>> => {
    const file = (await upload(alice, '/raw-files')).body.id as string;
    const ids = [
      await make({ title: 'The bay' }),
      await make({ title: 'The bay, as an entity', schema_id: ENTITY }),
      file,
    ];
    const [last] = [await make({ title: 'To link' })];
    const each = (fields: object) => ids.map((id) => ({ id, ...fields }));
    return {
      search: [{ query: 'bay' }, { query: 'letter' }],
      fetch: each({}),
      list_nodes: [{}],
      neighborhood: each({}),
      list_tags: [{}],
      node_history: each({}),
      my_access: [{}],
      remember: [{ title: 'x' }, { title: 'x', schema_id: ENTITY }],
      propose_change: [FREEFORM, ENTITY].map((id) => ({
        title: 'x',
        reason: 'y',
        create: [{ title: 'z', ...(id === FREEFORM ? {} : { schema_id: id }) }],
      })),
      update_node: each({ title: 'changed' }),
      link_nodes: ids.map((from_id) => ({ from_id, to_id: last, type: 'about' })),
      delete_node: each({}),
    };
  };
  const listedFor = async (client: Client): Promise<string[]> => {
    const { message } = await sendMessage(client, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {},
    });
    return message.result.tools.map(({ name }: { name: string }) => name) as string[];
  };

  it.each(Object.keys(REQUESTS))('tools are listed exactly where a call succeeds: %s', async (name) => {
    const client = await alice.lets(await world.app({ requested: REQUESTS[name] as never }));
    const listed = await listedFor(client);
    const succeeding: string[] = [];
    for (const [tool, calls] of Object.entries(await callsOf()))
      for (const given of calls)
        if (worked(await callTool(client, tool, given)) && !succeeding.includes(tool)) succeeding.push(tool);
    // Lists of schemas and of an app's own suggestions are never refused, and offered where they are of use.
    const certain = listed.filter((tool) => !['list_schemas', 'list_proposals'].includes(tool));
    expect(certain.sort()).toEqual(succeeding.sort());
  });
});
