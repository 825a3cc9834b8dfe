import { ApiRefusal } from '../../src/mcp/domain/api.js';
import { type Tool } from '../../src/mcp/domain/tool.js';
import { type Twins } from '../interference/twins.js';

/** A fault of a tool, which the rig must find. */
export interface Plant {
  /** The name on the command line (--plant). */
  name: string;
  fault: string;
  /** The expected text of the finding. */
  shows: RegExp;
  tool: string;
  /** The fields of the tool that are faulty. */
  faulty(tool: Tool, twins: Twins): Promise<Partial<Tool>>;
}

export const PLANTS: Plant[] = [
  {
    name: 'unasked',
    fault: 'a tool that asks no permission',
    shows: /fetch is not listed and answered|"name":"fetch"[^]*404 NODE_NOT_FOUND/,
    tool: 'fetch',
    async faulty({ run }, twins) {
      const { Database, sql } = await kernel();
      const database = twins.worlds[0].nest.get(Database, { strict: false });
      return {
        run: (call) =>
          run(call).catch(async (error: unknown) => {
            const { id } = call.arguments;
            const query = sql`SELECT title, value AS text FROM nodes WHERE id = ${id}`;
            const [row] = error instanceof ApiRefusal ? await database.read<object>(query) : [];
            if (row === undefined) throw error;
            return { id, url: call.links.node(id as string), metadata: {}, ...row };
          }),
      };
    },
  },
  {
    name: 'rules',
    fault: 'a tool listed by one rule and called by another',
    shows: /delete_node is (not )?listed and/,
    tool: 'delete_node',
    faulty: async () => ({ offeredWith: ['edit'] }),
  },
  {
    name: 'condition',
    fault: 'a tool that forgets the version that its caller has read',
    shows: /"name":"update_node"[^]*412 PRECONDITION_FAILED/,
    tool: 'update_node',
    faulty: async ({ run }) => ({
      run: (call) => run({ ...call, arguments: { ...call.arguments, version: undefined } }),
    }),
  },
  {
    name: 'reason',
    fault: 'a tool that forgets the reason of its change',
    shows: /"name":"remember"[^]*stored/,
    tool: 'remember',
    faulty: async ({ run }) => ({
      run: (call) => run({ ...call, arguments: { ...call.arguments, reason: undefined } }),
    }),
  },
];

/** Plants a fault into the tools of both worlds. @returns a function that mends it */
export async function plant(twins: Twins, { tool: name, faulty }: Plant): Promise<() => void> {
  const { toolNamed } = await import('../../src/mcp/application/tools/tools.js');
  const tool = toolNamed(name) as Tool;
  const sound = { ...tool };
  Object.assign(tool, await faulty(sound, twins));
  return () => void Object.assign(tool, sound);
}

// Loaded only for a planted fault: before, the rig replaces the service's source of ids.
const kernel = async () => ({
  ...(await import('../../src/kernel/database/sql.js')),
  ...(await import('../../src/kernel/database/database.js')),
});
