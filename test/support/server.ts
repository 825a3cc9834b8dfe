import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from './client.js';
import { migrationsKey, PREPARED } from './prepared.js';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** An entry of the build as a process of its own, with its recorded output. */
export class ServiceProcess {
  stdout = '';
  stderr = '';
  /** Resolves when it has ended and all its output has been read. */
  readonly ended: Promise<Ending>;
  protected readonly child: ChildProcess;
  readonly #onOutput = new Set<() => void>();

  /** @param root the package folder, if it is not this one */
  constructor(
    entry: string,
    environment: Record<string, string>,
    { root = ROOT, args = [] as string[] } = {},
  ) {
    const child = (this.child = spawn(process.execPath, [join(root, 'dist', entry), ...args], {
      env: { PATH: process.env.PATH, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }));
    running.add(child);
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    const heard = (text: string, stream: 'stdout' | 'stderr'): void => {
      this[stream] += text;
      for (const look of this.#onOutput) look();
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => heard(text, 'stdout'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => heard(text, 'stderr'));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The match of the pattern on stdout, as soon as there is one. Rejects if the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((found, failed) => {
      const look = (): boolean => {
        const match = pattern.exec(this.stdout);
        if (match === null) return false;
        this.#onOutput.delete(look);
        found(match);
        return true;
      };
      if (look()) return;
      this.#onOutput.add(look);
      void this.ended.then(({ code, signal }) => {
        if (!look())
          failed(new Error(`ended with ${code ?? signal} before it printed ${pattern}: ${this.stderr}`));
      }, failed);
    });
  }

  /** Stops reading its output. */
  stopReading(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it, if it has not ended yet. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ending> {
    this.signal(signal);
    return this.ended;
  }
}

/** The built service, listening on a port of its own. */
export class Server extends ServiceProcess {
  /** Milliseconds from the start of the process to its first 200. */
  startedIn = NaN;
  origin = '';

  /** Resolves when the service reports that it is ready. */
  static async start(environment: Record<string, string>, options: { root?: string } = {}): Promise<Server> {
    const begun = performance.now();
    const server = new Server('main.js', { PORT: '0', ...environment }, options);
    try {
      await server.listening();
      await server.ready();
    } catch (error) {
      await server.kill();
      throw error;
    }
    server.startedIn = performance.now() - begun;
    return server;
  }

  /** A client of that person, logged in. */
  async logIn(account: Record<string, string> = ACCOUNT): Promise<Client> {
    const { status, body, text } = await this.client().post('/auth/login', account);
    if (status !== 200) throw new Error(`log in: ${status} ${text}`);
    return this.client({ Authorization: `Bearer ${body.access_token}` });
  }

  /** Resolves when it accepts connections. */
  async listening(): Promise<void> {
    this.origin = (await this.printed(/(http:\/\/[^\s/]+)\/docs\n/))[1] as string;
  }

  client(credentials: Record<string, string> = {}): Client {
    return new Client(this.origin, credentials);
  }

  /** A first start on a busy machine may still be making the demo: refusals then take two seconds. */
  private async ready(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await this.client().get('//health/ready');
      if (status === 200) return;
      if (status !== 503 || attempt === 10) throw new Error(`not ready: ${status} ${text}`);
    }
  }
}

/** The person of these tests. */
export const ACCOUNT = { email: 'alice@example.org', username: 'alice', password: 'correct horse battery' };

/** Folders and processes of one test file, removed after it. */
export class Workshop {
  readonly #folders: string[] = [];
  readonly #processes: ServiceProcess[] = [];

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'pig-faults-'));
    this.#folders.push(folder);
    return folder;
  }

  /** A data directory with an embedded database without users. */
  emptyDirectory(): Promise<string> {
    return this.copyOf('empty', (directory) => this.migrate(directory));
  }

  /** A used data directory that contains `ACCOUNT`. */
  usedDirectory(): Promise<string> {
    return this.copyOf('used', (directory) => this.use(directory));
  }

  /** Settings of a service on that database, or on an embedded one, without users. */
  async settings(database: { url: string } | null): Promise<{ DATA_DIR: string; DATABASE_URL: string }> {
    if (database !== null) return { DATA_DIR: this.folder(), DATABASE_URL: database.url };
    return { DATA_DIR: await this.emptyDirectory(), DATABASE_URL: '' };
  }

  /** A package folder of its own with this build, whose migrations a test may change. */
  packageFolder(): string {
    const folder = this.folder();
    const isCode = (path: string): boolean => !/\.(map|tsbuildinfo)$/.test(path);
    mkdirSync(join(folder, 'dist'));
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true, filter: isCode });
    cpSync(join(ROOT, 'migrations'), join(folder, 'migrations'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    return folder;
  }

  run(...given: ConstructorParameters<typeof ServiceProcess>): ServiceProcess {
    return this.keep(new ServiceProcess(...given));
  }

  async serve(environment: Record<string, string>, options: { root?: string } = {}): Promise<Server> {
    return this.keep(await Server.start(environment, options));
  }

  keep<T extends ServiceProcess>(started: T): T {
    this.#processes.push(started);
    return started;
  }

  /** Made once for each build. */
  private async copyOf(kind: string, make: (directory: string) => Promise<void>): Promise<string> {
    const name = `${migrationsKey()}-${statSync(join(ROOT, 'dist/.built')).mtimeMs}-${kind}`;
    const original = join(PREPARED, name);
    if (!existsSync(original)) {
      mkdirSync(PREPARED, { recursive: true });
      const draft = mkdtempSync(join(PREPARED, 'draft-'));
      await make(draft);
      try {
        renameSync(draft, original);
      } catch (error) {
        // Another worker was faster.
        if (!existsSync(original)) throw error;
        rmSync(draft, { recursive: true });
      }
      for (const old of readdirSync(PREPARED).filter((other) => other.endsWith(`-${kind}`) && other !== name))
        rmSync(join(PREPARED, old), { recursive: true, force: true });
    }
    const copy = this.folder();
    cpSync(original, copy, { recursive: true });
    return copy;
  }

  private async migrate(directory: string): Promise<void> {
    const { code } = await this.run('cli/main.js', { DATA_DIR: directory }, { args: ['migrate'] }).ended;
    if (code !== 0) throw new Error(`migrate: ${code}`);
  }

  private async use(directory: string): Promise<void> {
    cpSync(await this.emptyDirectory(), directory, { recursive: true });
    const server = await this.serve({ DATA_DIR: directory });
    await server.printed(/curl/);
    const { status, text } = await server.client().post('/auth/register', ACCOUNT);
    if (status !== 201) throw new Error(`register: ${status} ${text}`);
    await server.kill('SIGTERM');
  }

  async clear(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((started) => started.kill()));
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}
