import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { type Worker } from 'node:worker_threads';
import { JsonSchemaWorkers, type SchemaTask, ValidationUnavailable } from './workers.js';

const NO_THREADS = Object.assign(new Error('Worker initialization failure: EAGAIN'), {
  code: 'ERR_WORKER_INIT_FAILED',
});
const NUMBERS: SchemaTask = { schema: '{"type":"number"}', values: ['1'] };
const FITS = { violations: [[]] };
const TOO_LONG = { overBudget: 'evaluation took too long' };

/** A thread that is ready at once and never answers. */
class Silent extends EventEmitter {
  unref = jest.fn();
  postMessage = jest.fn();
  terminate = jest.fn(async () => 0);

  constructor() {
    super();
    setImmediate(() => this.emit('message', 'ready'));
  }
}

/** Workers on a system that provides threads as the test says; refusals are counted in `refused`. */
class Workers extends JsonSchemaWorkers {
  readonly refused = new EventEmitter();
  readonly logged = jest.fn();
  gives: () => Worker | null = () => super.thread();

  constructor() {
    super();
    Object.assign(this, { logger: { error: this.logged } });
  }

  protected override thread(): Worker {
    const thread = this.gives();
    if (thread) return thread;
    setImmediate(() => this.refused.emit('once'));
    throw NO_THREADS;
  }
}

describe('threads for schemas, when the system has none left', () => {
  const workers: Workers[] = [];
  const make = (): Workers => {
    const made = new Workers();
    workers.push(made);
    return made;
  };
  const silent = (): Worker => new Silent() as unknown as Worker;
  /** The real workers, but only this number of threads. */
  const only = (count: number, made: Workers): void => {
    const { gives } = made;
    made.gives = () => (count-- > 0 ? gives() : null);
  };
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await Promise.all(workers.splice(0).map((made) => made.onApplicationShutdown()));
  });

  it('refuses who would wait for one, keeps nothing of it, and works when there are some again', async () => {
    const made = make();
    const { gives } = made;
    made.gives = () => null;
    await expect(made.run('alice', NUMBERS)).rejects.toThrow(ValidationUnavailable);
    await expect(made.run('alice', NUMBERS)).rejects.toThrow(ValidationUnavailable);
    expect(made).toMatchObject({ waiting: new Map(), seats: new Set() });
    expect(made.logged.mock.calls[0]).toEqual([{ err: NO_THREADS }, expect.any(String)]);
    made.gives = gives;
    expect(await made.run('alice', NUMBERS)).toEqual(FITS);
  });

  it('refuses alike when threads end before they are ready', async () => {
    const made = make();
    made.gives = () => {
      const thread = new EventEmitter();
      setImmediate(() => thread.emit('error', NO_THREADS));
      return Object.assign(thread, { unref: jest.fn(), terminate: async () => 0 }) as unknown as Worker;
    };
    await expect(made.run('alice', NUMBERS)).rejects.toThrow(ValidationUnavailable);
  });

  it('serves with the one there is, and asks for the second again', async () => {
    const made = make();
    const { gives } = made;
    only(1, made);
    const refused = once(made.refused, 'once');
    expect(await made.run('alice', NUMBERS)).toEqual(FITS);
    await refused;
    expect(await made.run('alice', NUMBERS)).toEqual(FITS);
    expect(made).toMatchObject({ seats: { size: 1 } });
    await new Promise<void>((asked) => {
      made.gives = () => {
        asked();
        return gives();
      };
    });
    await made.run('alice', NUMBERS);
    expect(made).toMatchObject({ seats: { size: 2 } });
  });

  it('answers whose thread had to be ended, refuses who waited behind, and serves the next', async () => {
    const made = make();
    const { gives } = made;
    made.gives = silent;
    only(1, made);
    const answers = await Promise.allSettled([made.run('mallory', NUMBERS), made.run('alice', NUMBERS)]);
    expect(answers).toMatchObject([{ value: TOO_LONG }, { reason: expect.any(ValidationUnavailable) }]);
    made.gives = gives;
    expect(await made.run('alice', NUMBERS)).toEqual(FITS);
  });

  it('lets who was punished have the only thread once the penalty is over', async () => {
    const made = make();
    const { gives } = made;
    made.gives = silent;
    only(1, made);
    expect(await made.run('mallory', NUMBERS)).toEqual(TOO_LONG);
    made.gives = gives;
    only(1, made);
    const refused = once(made.refused, 'once');
    expect(await made.run('alice', NUMBERS)).toEqual(FITS);
    await refused;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
    const answer = made.run('mallory', NUMBERS);
    expect(made).toMatchObject({ waiting: new Map() });
    expect(await answer).toEqual(FITS);
  });

  it('threads for schemas keep 200 waiting tasks of a person, refuse further ones, and take those of others (rule 5.5c)', async () => {
    const made = make();
    made.gives = silent;
    const kept = Array.from({ length: 200 }, () => made.run('mallory', NUMBERS));
    const refused = made.run('mallory', NUMBERS);
    const answers = Promise.allSettled([...kept, made.run('alice', NUMBERS)]);
    await expect(refused).rejects.toThrow('Too many validations are waiting');
    await made.onApplicationShutdown();
    const reasons = (await answers).map((answer) => answer.status === 'rejected' && String(answer.reason));
    expect(reasons).toEqual(Array(201).fill('Error: The service is stopping'));
  });

  it('starts no refused thread again after its end', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    const made = make();
    only(1, made);
    const refused = once(made.refused, 'once');
    await made.run('alice', NUMBERS);
    await refused;
    const asked = jest.fn(() => null);
    made.gives = asked;
    expect(jest.getTimerCount()).toBe(1);
    await made.onApplicationShutdown();
    await expect(made.run('alice', NUMBERS)).rejects.toThrow(ValidationUnavailable);
    jest.runAllTimers();
    expect(asked).not.toHaveBeenCalled();
  });
});
