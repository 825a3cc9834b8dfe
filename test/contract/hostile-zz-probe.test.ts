import { operationsOf } from '../support/operations.js';
import { bodyOf, pathOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';
it('probe', async () => {
  const world = await World.start();
  let n = 0, place = await Place.make(world);
  const t0 = Date.now();
  let fields = 0, params = 0;
  for (const op of operationsOf(world.nest)) {
    const a = await place.clientFor(op).send(op.method, pathOf(op, place.things), bodyOf(op, place.things, ++n));
    fields += op.fields.length; params += op.parameters.length;
    if (a.status >= 300) console.log(op.name, a.status, a.text.slice(0, 300));
    if (op.method === 'DELETE' || /logout|password|refresh|bulk-del/.test(op.path)) place = await Place.make(world);
  }
  console.log(fields, params, Date.now() - t0);
  await world.stop();
});
