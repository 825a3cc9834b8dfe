import { join } from 'node:path';
import { letAppsIn, type DemoViewer, registerPerson } from '../../src/cli/demo-cast.js';
import { DemoClient } from '../../src/cli/demo-client.js';
import { compare } from '../../src/cli/demo-comparison.js';
import { importFor, readSource } from '../../src/cli/import-source.js';
import { Users } from '../../src/identity/index.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

let world: World;
withWorld((started) => (world = started));

/** The demonstration on the fixtures: the two apps must receive two slices, and no hidden node. */
it('the demonstration shows two different slices of one graph', async () => {
  const anonymous = new DemoClient(world.origin);
  const person = await registerPerson(anonymous);
  for (const name of ['vault', 'resume.json']) {
    const source = await readSource(join(import.meta.dirname, '../fixtures', name), new Date());
    await importFor(world.nest, await world.nest.get(Users).get(person.id), source);
  }
  const [outline, archive] = (await letAppsIn(anonymous, person)) as [DemoViewer, DemoViewer];
  const total = async ({ client }: DemoViewer, query = '') =>
    (await client.get(`/nodes${query}`)).body['total'] as number;
  const [whole, some, most] = [await total(person), await total(outline), await total(archive)];
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(most);
  expect(most).toBe(whole - 1);
  expect(await total(archive, '?search=mara@lindqvist')).toBe(0);
  const text = (await compare(person, [outline, archive])).join('\n');
  expect(text).toContain(`${some} in all, newest first`);
  expect(text).toContain(`${most} in all, newest first`);
  expect(text).toContain('[REDACTED:email]');
  expect(text).toContain('value: (not shown)');
  expect(text.match(/\(\d+\.\d ms\)/g)).toHaveLength(8 * 3);
});
