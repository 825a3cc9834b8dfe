import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FieldExposure } from './field-exposure.js';
import { type Transformation } from './transformation.js';

const SHOWN = { id: 'x', tagIds: [], nodeType: 'note' };

/** Exposures with as many long paths as a profile may have, none alike. */
const exposures = (count: number): FieldExposure[] =>
  Array.from({ length: count }, (_, number) => {
    const pathsOf = (part: string): string[] =>
      Array.from({ length: 100 }, (_, path) => {
        const keys = Array.from({ length: 32 }, (_, depth) => `k${number}${part}${path}x${depth}`);
        return `metadata.${keys.join('.').slice(0, 480)}`;
      });
    const transformations: Transformation[] = [
      { type: 'field_mask', config: { paths: pathsOf('a'), strategy: 'null' } },
      { type: 'field_mask', config: { paths: pathsOf('b'), strategy: 'remove' } },
    ];
    return new FieldExposure({ detail: 'full', transformations, pseudonymKey: '' });
  });

/** The memory in use, without what nobody holds any longer. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

const COUNT = 20;

describe('the memory of masks with long paths', () => {
  it('a mask takes a small part of its estimate while no node has the keys of the paths', () => {
    const before = heap();
    const made = exposures(COUNT);
    for (const one of made) one.expose({ title: 'a', metadata: { properties: { a: 1 } } }, SHOWN);
    const bytes = (heap() - before) / COUNT;
    expect(bytes).toBeLessThan(500_000);
    expect(bytes).toBeLessThan(made[0]?.bytes as number);
  });

  it('a mask stays within its estimate when every path was walked through arrays', () => {
    const before = heap();
    const made = exposures(COUNT);
    for (const one of made)
      for (const { config } of one.terms.transformations)
        for (const path of (config as { paths: string[] }).paths)
          one.transformValue(path.split('.').join('.0.'), 'a', SHOWN);
    expect((heap() - before) / COUNT).toBeLessThan(made[0]?.bytes as number);
  });
});
