import { jest } from '@jest/globals';
import { NodesService } from '../../../src/graph/nodes/application/nodes.service.js';
import { DomainError } from '../../../src/kernel/errors/domain-error.js';
import { FieldExposure } from '../../../src/privacy/domain/exposure/field-exposure.js';
import { type Steps } from '../../../src/kernel/slices.js';
import { type TestUser, type World } from '../../support/world.js';
import { codeOf, letsIn, node, profile } from '../../support/worlds/nodes.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { item } from './batches.js';

const MAY = { discover: 'all', read: 'all', create: 'all', edit: 'all' } as const;
/** More than a transaction may work. */
const LONG_MS = 400;

describe('an item of a batch that takes long', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));
  afterEach(() => jest.restoreAllMocks());

  it('a batch is repeated when unmasking its items takes long, and writes them all (ADR 60)', async () => {
    const transformations = [
      { type: 'field_mask', config: { paths: ['metadata.secret'], strategy: 'last4' } },
    ];
    const app = await letsIn(world, alice, profile(MAY, { transformations }));
    const nodes = ['a', 'b'].map((title) => item(title, { metadata: { secret: `hidden ${title}` } }));
    const shown: Record<string, unknown> = {};
    for (const one of nodes) {
      const { id } = await node(alice, one);
      shown[one.title] = (await app.get(`/nodes/${id}`)).body.metadata.secret;
    }
    const original = FieldExposure.prototype['restoring'];
    let calls = 0;
    jest.spyOn(FieldExposure.prototype, 'restoring').mockImplementation(function* (
      this: FieldExposure,
      ...given
    ): Steps<unknown> {
      calls++;
      for (const end = cpu() + LONG_MS; cpu() < end;) yield undefined;
      return yield* original.apply(this, given);
    });
    const metadata = (title: string) => ({ secret: shown[title], changed: title });
    const answer = await app.post('/nodes/batch', {
      nodes: ['a', 'b'].map((title) => item(title, { metadata: metadata(title) })),
      on_duplicate: 'overwrite',
    });
    expect(answer.body).toMatchObject({ summary: { updated: 2, errors: 0 }, errors: [] });
    // Each is unmasked once: what was finished without a connection is found when the batch is repeated.
    expect(calls).toBe(4);
    const listed = (await alice.get('/nodes?sort=title&order=asc')).body.nodes as { metadata: object }[];
    expect(listed.map(({ metadata: stored }) => stored)).toEqual([
      { secret: 'hidden a', changed: 'a' },
      { secret: 'hidden b', changed: 'b' },
    ]);
  });

  it('a batch without time for one item writes nothing, and is 503 as a whole (rule 4.9c)', async () => {
    await node(alice, { title: 'a', node_type: 'note' });
    const batch = () =>
      alice.post('/nodes/batch', {
        nodes: [item('a', { importance_score: 1 }), item('b')],
        on_duplicate: 'overwrite',
      });
    const lack = new DomainError('SERVICE_UNAVAILABLE', 'planted');
    jest.spyOn(NodesService.prototype, 'decideEdit').mockRejectedValueOnce(lack);
    expect(codeOf(await batch())).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await alice.get('/nodes')).body.total).toBe(1);
    expect((await batch()).body.summary).toMatchObject({ created: 1, updated: 1 });
  });
});

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
