import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensurePrivateDirectory } from '../private-directory.js';

/** The directory belongs to another process. The message is one line for the operator. */
export class DataDirectoryLocked extends Error {
  constructor(directory: string, holder: string) {
    super(`The data directory ${directory} is in use by ${holder}; stop that one or choose another DATA_DIR`);
    this.name = 'DataDirectoryLocked';
  }
}

const HEARTBEAT_MS = 5_000;
/** A claim that cannot be checked (another machine's) counts as abandoned after this time without a heartbeat. */
const SILENCE_MS = 30_000;
const ATTEMPTS = 4;
/** A longer path does not fit into a socket's address (104 bytes on macOS, 108 on Linux). */
const LONGEST_SOCKET_PATH = 100;

/**
 * Makes this process the only one that works in `directory`, until the returned function is called or the process ends,
 * in any way.
 *
 * Every process leaves a claim (a file of its own name in `<directory>/lock`) and listens on a socket of that name
 * before it looks for the claims of others. Of any two, the later one sees the earlier one, so that both can lose but
 * never both win; a loser withdraws and retries for a moment. The operating system shows if a claim is alive: the
 * socket of a killed process refuses at once, that of a busy or stopped process does not, which a file with a heartbeat
 * cannot distinguish. Names are never reused, so that removing a dead claim cannot hit a living one.
 *
 * @throws DataDirectoryLocked within a second; DirectoryUnusable
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const folder = join(directory, 'lock');
  await ensurePrivateDirectory(folder);
  for (let attempt = 1; ; attempt++) {
    const claim = await stake(folder);
    const rival = await findRival(folder, claim.name);
    if (rival === null) return claim.withdraw;
    await claim.withdraw();
    if (attempt === ATTEMPTS) throw new DataDirectoryLocked(directory, rival);
    await wait(20 + Math.random() * 80);
  }
}

interface Claim {
  name: string;
  withdraw: () => Promise<void>;
}

async function stake(folder: string): Promise<Claim> {
  const name = `${kernelId()}-${randomBytes(6).toString('hex')}`;
  const file = join(folder, name);
  const { server, address } = await listenOnFirst(addresses(folder, name));
  await writeFile(file, String(process.pid), { mode: 0o600 });
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  // The socket of a process ends with it, but not its file, which alone would look like another machine's claim.
  const leave = (): void => rmSync(file, { force: true });
  process.once('exit', leave);
  const withdraw = async (): Promise<void> => {
    clearInterval(heartbeat);
    process.off('exit', leave);
    await rm(file, { force: true });
    await new Promise((closed) => server.close(closed));
    await removeSocket(address);
  };
  return { name, withdraw };
}

/** A description of another process that claims the folder, or null; removes the claims of dead processes. */
async function findRival(folder: string, own: string): Promise<string | null> {
  const { mtimeMs: now } = await stat(join(folder, own));
  const names = new Set((await readdir(folder)).map((entry) => entry.replace(/\.sock$/, '')));
  names.delete(own);
  for (const name of names) {
    const rival = await describeIfAlive(folder, name, now);
    if (rival !== null) return rival;
    await rm(join(folder, name), { force: true });
    for (const address of addresses(folder, name)) await removeSocket(address);
  }
  return null;
}

/** `now` is the time of the file system that holds the claims, so that the clocks of two machines need not agree. */
async function describeIfAlive(folder: string, name: string, now: number): Promise<string | null> {
  const file = join(folder, name);
  if (name.startsWith(`${kernelId()}-`)) {
    for (const address of addresses(folder, name)) {
      const answer = await ask(address);
      if (answer === 'dead') return null;
      if (answer === 'alive')
        return `another process (pid ${await readFile(file, 'utf8').catch(() => 'unknown')})`;
    }
  }
  const touched = await stat(file).catch(() => null);
  return touched !== null && now - touched.mtimeMs < SILENCE_MS
    ? `a process of another machine or container, last seen ${Math.max(0, Math.round((now - touched.mtimeMs) / 1000))} s ago`
    : null;
}

/**
 * The possible paths of a claim's socket: beside it, or elsewhere if the path is too long or the file system has no
 * sockets.
 */
function addresses(folder: string, name: string): string[] {
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`];
  const beside = join(folder, `${name}.sock`);
  const elsewhere = join(tmpdir(), `${name}.sock`);
  return Buffer.byteLength(beside) > LONGEST_SOCKET_PATH ? [elsewhere] : [beside, elsewhere];
}

async function listenOnFirst(candidates: string[]): Promise<{ server: Server; address: string }> {
  let failure: unknown;
  for (const address of candidates) {
    const server = createServer((socket) => socket.destroy());
    try {
      await new Promise<void>((listening, failed) => server.once('error', failed).listen(address, listening));
      return { server: server.unref(), address };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function ask(address: string): Promise<'alive' | 'dead' | 'unknown'> {
  return new Promise((answer) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      answer('alive');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') answer('dead');
      else answer(error.code === 'ENOENT' || error.code === 'ENOTSOCK' ? 'unknown' : 'alive');
    });
  });
}

async function removeSocket(address: string): Promise<void> {
  if (process.platform !== 'win32') await rm(address, { force: true });
}

let kernel: string | undefined;

/** An id that all processes of one operating system share, containers included, until it reboots. */
function kernelId(): string {
  kernel ??= createHash('sha256').update(bootId()).digest('hex').slice(0, 12);
  return kernel;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  } catch {
    return hostname();
  }
}
