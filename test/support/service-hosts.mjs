import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const MOST_BYTES = 700 * 1_048_576;
const HOST = resolve(import.meta.dirname, 'service-host.mjs');
/** Without a warning about the version of Node for each process. */
const ENVIRONMENT = { PATH: process.env.PATH, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };

/** Processes that wait for a next world. */
const idle = [];

/** A process that serves one world after another. It ends with the process of the tests. */
class ServiceHost {
  #child = fork(HOST, [], {
    env: ENVIRONMENT,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

  constructor() {
    this.loaded = this.#answer();
    this.#child.unref();
  }

  /** @returns the port on which a new service with these settings answers */
  async start(settings, cost) {
    await this.loaded;
    return this.#ask({ start: { settings: { ...ENVIRONMENT, ...settings }, cost } });
  }

  /** Stops the service's clock at a time, in milliseconds. */
  async holdClock(at) {
    await this.#ask({ holdClock: at });
  }

  /** Closes the service. A process that is not as before, or has become large, serves no other world. */
  async stop() {
    const { left, bytes } = await this.#ask({});
    if (left.length > 0) console.warn(`a world left behind in its process: ${left.join(', ')}`);
    if (left.length > 0 || bytes > MOST_BYTES) this.#child.kill('SIGKILL');
    else idle.push(this);
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  #ask(message) {
    const answer = this.#answer();
    this.#child.send(message);
    return answer;
  }

  /** Waits for the next answer; this process stays alive for no longer. */
  async #answer() {
    const { channel } = this.#child;
    channel?.ref();
    const ended = new AbortController();
    try {
      const [{ done, failed }] = await Promise.race([
        once(this.#child, 'message', { signal: ended.signal }),
        once(this.#child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
          throw new Error(`a process of the service ended with ${code ?? signal}`);
        }),
      ]);
      if (failed !== undefined) throw new Error(failed);
      return done;
    } finally {
      ended.abort();
      channel?.unref();
    }
  }
}

/** Takes idle processes, or starts new ones. They belong to the caller until they are stopped. */
export const takeHosts = (count) => Array.from({ length: count }, () => idle.pop() ?? new ServiceHost());
