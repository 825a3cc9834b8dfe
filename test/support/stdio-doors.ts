import { Client as Modern } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as Legacy } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { resolve } from 'node:path';
import { CLIENT } from './mcp.js';
import { type Server, type Workshop } from './server.js';

const COMMAND = resolve('dist/cli/main.js');

/** The command line's door for assistants, and its environment. */
export interface Door {
  args: string[];
  env: Record<string, string>;
}

export const doorCommand = ({ args, env }: Door) => ({
  command: process.execPath,
  args: [COMMAND, 'mcp', ...args],
  env: { PATH: process.env.PATH ?? '', ...env },
  stderr: 'pipe' as const,
});

/** A client of the revision 2026-07-28 with its process. */
export async function modern(door: Door): Promise<{ client: Modern; pid: number }> {
  const client = new Modern(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new ModernStdio(doorCommand(door));
  await client.connect(transport);
  return { client, pid: transport.pid as number };
}

/** A client of the revisions that begin with `initialize`, with its process. */
export async function legacy(door: Door): Promise<{ client: Legacy; pid: number }> {
  const client = new Legacy(CLIENT);
  const transport = new LegacyStdio(doorCommand(door));
  await client.connect(transport);
  return { client, pid: transport.pid as number };
}

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

interface Doors {
  server: Server;
  /** To the running service. */
  remote: Door;
  /** On a database of its own, with the demo user. */
  embedded: Door;
  /** The password of that demo user. */
  password: string;
}

/** Both doors, each with the demo user's app. */
export async function openDoors(workshop: Workshop): Promise<Doors> {
  const server = await workshop.serve({ DATA_DIR: workshop.folder(), DATABASE_URL: '' });
  const [, key, user] = await server.printed(/ {2}KEY=(\S+)\n {2}USER_ID=(\S+)\n/);
  const remote = {
    args: ['--url', server.origin],
    env: { PIG_KEY: key as string, PIG_USER_ID: user as string },
  };
  const DATA_DIR = await workshop.emptyDirectory();
  const settings = { DATA_DIR, DATABASE_URL: '' };
  const seeding = workshop.run('cli/main.js', settings, { args: ['seed-demo'] });
  const [, password, id] = await seeding.printed(/Demo user \S+, password (\S+), id (\S+)\n/);
  const [, appKey] = await seeding.printed(/App key (\S+)\n/);
  await seeding.ended;
  const embedded = { args: [], env: { ...settings, PIG_KEY: appKey as string, PIG_USER_ID: id as string } };
  return { server, remote, embedded, password: password as string };
}
