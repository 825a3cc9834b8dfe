import { jest } from '@jest/globals';
import { OwnerEdits } from '../../src/graph/index.js';
import { DomainError } from '../../src/kernel/errors/domain-error.js';
import { StepRunner } from '../../src/proposals/application/step-runner.service.js';
import { codeOf } from '../support/worlds/nodes.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

describe('a proposal whose step lacks time', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));
  afterEach(() => jest.restoreAllMocks());

  it('a proposal stays approved when a step lacks time, and can be applied and undone later', async () => {
    const client = await alice.lets(await world.app());
    const node = { title: 'proposed', node_type: 'NOTE' };
    const made = await client.post('/proposals', { title: 'one', type: 'CREATE_NODE', canonical_data: node });
    const path = `/proposals/${made.body.id}`;
    await client.patch(path, { status: 'READY_FOR_APPROVAL' });
    expect((await alice.post(`${path}/approve`, {})).status).toBe(200);
    const lack = new DomainError('SERVICE_UNAVAILABLE', 'planted');
    jest.spyOn(StepRunner.prototype, 'run').mockRejectedValueOnce(lack);
    expect(codeOf(await alice.post(`${path}/apply`))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await alice.get(path)).body.status).toBe('APPROVED');
    expect((await alice.post(`${path}/apply`)).body.status).toBe('APPLIED');
    expect((await alice.get('/nodes')).body.total).toBe(1);
    jest.spyOn(OwnerEdits.prototype, 'delete').mockRejectedValueOnce(lack);
    expect(codeOf(await alice.post(`${path}/revert`))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await alice.get('/nodes')).body.total).toBe(1);
    expect((await alice.post(`${path}/revert`)).body).toMatchObject({ undone: 1, not_undone: [] });
  });
});
