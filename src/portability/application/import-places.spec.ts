import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';
import { ImportPlaces } from './import-places.js';

const HOUR_MS = 60 * 60 * 1000;

/** Imports that end when the test says so, well or badly. */
class Imports {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (isGood: boolean) => void>();
  private readonly places: ImportPlaces;
  private now = 0;

  constructor(size: number) {
    const clock: Clock = Object.assign(new Clock(), { now: () => new Date(this.now) });
    this.places = new ImportPlaces(size, clock);
  }

  /** The account is the first letter of the name. */
  begin(name: string): void {
    const work = async (): Promise<void> => {
      this.started.push(name);
      if (!(await new Promise<boolean>((end) => this.ends.set(name, end)))) throw new Error('planted');
    };
    this.places.run(name[0] as string, work).catch(() => undefined);
  }

  async end(name: string, isGood: boolean): Promise<void> {
    this.ends.get(name)?.(isGood);
    await setImmediate();
  }

  async fail(...names: string[]): Promise<void> {
    for (const name of names) {
      this.begin(name);
      await setImmediate();
      await this.end(name, false);
    }
  }

  pass(ms: number): void {
    this.now += ms;
  }
}

describe('ImportPlaces', () => {
  const started = async (imports: Imports, ...names: string[]): Promise<string[]> => {
    const before = imports.started.length;
    for (const name of names) imports.begin(name);
    await setImmediate();
    return imports.started.slice(before);
  };

  it('one account holds one of two places, however many archives it sends', async () => {
    const imports = new Imports(2);
    expect(await started(imports, 'a1', 'a2', 'a3', 'b1')).toEqual(['a1', 'b1']);
    await imports.end('b1', true);
    expect(await started(imports, 'c1')).toEqual(['c1']);
  });

  it('accounts whose last import failed hold one of two places together, for an hour', async () => {
    const imports = new Imports(2);
    await imports.fail('a1', 'b1');
    expect((await started(imports, 'a2', 'b2', 'c1')).sort()).toEqual(['a2', 'c1']);
    await imports.end('a2', false);
    await imports.end('b2', false);
    await imports.end('c1', true);
    imports.pass(HOUR_MS);
    expect(await started(imports, 'a3', 'b3')).toEqual(['a3', 'b3']);
  });

  it('accounts whose last import failed take turns at their place', async () => {
    const imports = new Imports(2);
    await imports.fail('a1', 'b1');
    expect(await started(imports, 'a2', 'a3', 'a4', 'b2')).toEqual(['a2']);
    for (const name of ['a2', 'a3', 'b2']) await imports.end(name, false);
    expect(imports.started.slice(3)).toEqual(['a3', 'b2', 'a4']);
  });

  it('accounts take turns at a single place', async () => {
    const imports = new Imports(1);
    expect(await started(imports, 'a1', 'a2', 'a3', 'b1')).toEqual(['a1']);
    await imports.end('a1', true);
    await imports.end('a2', true);
    expect(imports.started).toEqual(['a1', 'a2', 'b1']);
  });
});
