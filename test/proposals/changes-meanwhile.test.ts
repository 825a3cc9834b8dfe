import { jest } from '@jest/globals';
import { ProposalPreparation } from '../../src/proposals/application/proposal-preparation.service.js';
import { StepComparisons } from '../../src/proposals/application/step-comparisons.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { approved, proposed, ready } from '../support/worlds/proposals.js';
import { withAlice } from '../support/worlds/with-world.js';

/** The long part of a step is done before anything is locked: what it was about may change in between. */
describe('a proposal whose nodes or words change before it is locked', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });
  afterEach(() => jest.restoreAllMocks());

  const update = (id: string, value: string) => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id: id, changes: { value } },
  });
  /** Has somebody act after each comparison of a step with its nodes; the number of times. */
  const afterComparing = (act: (time: number) => Promise<unknown>) => {
    const { of } = StepComparisons.prototype;
    let times = 0;
    jest.spyOn(StepComparisons.prototype, 'of').mockImplementation(async function (
      this: StepComparisons,
      ...given
    ) {
      const compared = await of.apply(this, given);
      await act(++times);
      return compared;
    });
    return () => times;
  };

  it.each(['app', 'user'])(
    'a value that is written after the comparison is a conflict for the %s who applies (rule 8.7c)',
    async (who) => {
      const { id } = await node(alice, { value: 'first' });
      const proposal = await approved(alice, client, update(id, 'proposed'));
      const times = afterComparing((time) =>
        time === 1 ? alice.put(`/nodes/${id}`, { value: 'newer' }) : Promise.resolve(),
      );
      const applied = await (who === 'app' ? client : alice).post(`/proposals/${proposal}/apply`);
      expect(applied.body).toMatchObject({
        status: 'FAILED',
        errors: [{ code: 'CONFLICT', fields: ['value'] }],
      });
      expect((await alice.get(`/nodes/${id}`)).body.value).toBe('newer');
      expect(times()).toBe(2);
    },
  );

  it('a proposal whose node never rests is refused with 503 and stays approved', async () => {
    const { id } = await node(alice, { value: 'first' });
    const proposal = await approved(alice, client, update(id, 'proposed'));
    afterComparing((time) => alice.put(`/nodes/${id}`, { title: `newer ${time}` }));
    const answer = await client.post(`/proposals/${proposal}/apply`);
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await alice.get(`/proposals/${proposal}`)).body.status).toBe('APPROVED');
    jest.restoreAllMocks();
    expect((await client.post(`/proposals/${proposal}/apply`)).body.status).toBe('APPLIED');
    expect((await alice.get(`/nodes/${id}`)).body.value).toBe('proposed');
  });

  it('words that replace others while those are read are the ones that become ready', async () => {
    const { id } = await node(alice, { value: 'first' });
    const made = await proposed(client, update(id, 'one'));
    const { prepare } = ProposalPreparation.prototype;
    jest.spyOn(ProposalPreparation.prototype, 'prepare').mockImplementationOnce(async function (
      this: ProposalPreparation,
      ...given
    ) {
      const read = await prepare.apply(this, given);
      const { canonical_data } = update(id, 'two');
      expect((await client.patch(`/proposals/${made.id}`, { canonical_data })).status).toBe(200);
      return read;
    });
    const answer = await ready(client, made.id as string);
    expect(answer.body).toMatchObject({ status: 'READY_FOR_APPROVAL', revision: 2 });
    await alice.get(`/proposals/${made.id}`);
    expect((await alice.post(`/proposals/${made.id}/approve`, {})).status).toBe(200);
    expect((await alice.post(`/proposals/${made.id}/apply`)).body.status).toBe('APPLIED');
    expect((await alice.get(`/nodes/${id}`)).body.value).toBe('two');
  });
});
