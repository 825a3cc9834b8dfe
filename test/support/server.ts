import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from './client.js';

/** The built service as a process of its own, for tests that kill it. */
export class Server {
  private constructor(
    readonly process: ChildProcess,
    readonly origin: string,
    /** Milliseconds from the start of the process to its first answer. */
    readonly startedIn: number,
  ) {}

  static async start(environment: Record<string, string>): Promise<Server> {
    const begun = Date.now();
    const child = spawn(process.execPath, ['dist/main.js'], {
      env: { PATH: process.env.PATH, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const origin = await addressOf(child);
    await new Client(origin).get('//health/ready');
    return new Server(child, origin, Date.now() - begun);
  }

  client(credentials: Record<string, string> = {}): Client {
    return new Client(this.origin, credentials);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const address = /(http:\/\/[^\s/]+)/.exec(line)?.[1];
    if (address) {
      child.stdout?.resume();
      return address;
    }
  }
  throw new Error('the server ended before it listened');
}
