import { type ServiceProcess } from '../support/server.js';

/** The entry points that start a process with a database, and the first line of each when it cannot. */
export const ENTRIES = [
  { name: 'npm start', entry: 'main.js', args: [] as string[], says: 'cannot start: ' },
  { name: 'npm run cli -- migrate', entry: 'cli/main.js', args: ['migrate'], says: 'error: ' },
];

/** The end of a process that cannot start: exit 1 and one line. */
export async function refusal(process: ServiceProcess): Promise<string> {
  const ending = await process.ended;
  expect(process.stderr).toMatch(/^[^\n]+\n$/);
  expect(ending).toEqual({ code: 1, signal: null });
  expect(process.stdout).toBe('');
  return process.stderr.trimEnd();
}
