import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Target {
  name: string;
  port: number;
  /** Milliseconds from the start of the process to its first answer. */
  startTime: number;
  pid: number;
  stop(): Promise<void>;
}

export interface Start {
  name: string;
  /** Script, seen from the repository's root. */
  script: string;
  environment: Record<string, string>;
  /** A path that is ready when it answers below 500. */
  readyPath: string;
  log: string;
  nodeOptions?: string[];
}

/** Starts a server as a process of its own and waits until it answers. */
export async function startServer(start: Start): Promise<Target> {
  const port = await freePort();
  const log = openSync(start.log, 'a');
  const begin = performance.now();
  const child = spawn(process.execPath, [...(start.nodeOptions ?? []), start.script], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      ...start.environment,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  children.add(child);
  child.once('exit', () => children.delete(child));
  try {
    await untilReady(child, `http://127.0.0.1:${port}${start.readyPath}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(
      `${start.name} did not start (${String(error)}); the end of its log:\n${tail(start.log)}`,
    );
  }
  return {
    name: start.name,
    port,
    startTime: performance.now() - begin,
    pid: child.pid as number,
    stop: () => stop(child),
  };
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < 60_000; await sleep(5)) {
    if (child.exitCode !== null) throw new Error(`exit ${child.exitCode}`);
    // The answer is read, because an unread one fails when its server stops later.
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer !== null && answer.status < 500) return;
  }
  throw new Error('no answer within a minute');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exited;
  clearTimeout(hard);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const tail = (file: string): string => readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');

/** Resident memory in MiB, now and at its highest (Linux only; elsewhere null). */
export function memory(pid: number): { resident: number; peak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { resident: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return null;
  }
}

/** Milliseconds of processor time that a process has used, in steps of ten (Linux only; elsewhere NaN). */
export function processorTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return NaN;
  }
}
