import { type Client } from '../support/client.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { proposed, ready } from '../support/worlds/proposals.js';

describe('approving', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;
  let nodeId: string;
  let id: string;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    app = await alice.lets(await world.app());
    nodeId = (await node(alice, { title: 'diary', value: 'v' })).id;
    const harmless = { node_id: nodeId, changes: { title: 'Diary' } };
    ({ id } = await proposed(app, { type: 'BATCH', actions: [action('UPDATE_NODE', harmless)] }));
    await ready(app, id);
  });

  const action = (type: string, payload: object) => ({ id: 'a', type, payload });
  const exchange = () => ready(app, id, { actions: [action('DELETE_NODE', { node_id: nodeId })] });
  const approve = (body: object = {}) => alice.post(`/proposals/${id}/approve`, body);
  const shows = {
    'the proposal': () => alice.get(`/proposals/${id}`),
    'its diff': () => alice.get(`/proposals/${id}/diff`),
    'the list': () => alice.get('/proposals'),
  };

  it.each(Object.entries(shows))(
    'the approval of a proposal is refused if the state shown by %s has changed',
    async (_, show) => {
      await show();
      await exchange();
      expect(codeOf(await approve())).toEqual([409, 'REVISION_CONFLICT']);
      expect((await app.get(`/proposals/${id}`)).body.status).toBe('READY_FOR_APPROVAL');
      await show();
      expect((await approve()).status).toBe(200);
    },
  );

  it('the approval of a proposal is refused for a revised proposal that the user has not seen, even if others have read it', async () => {
    await exchange();
    await app.get(`/proposals/${id}`);
    expect(codeOf(await approve())).toEqual([409, 'REVISION_CONFLICT']);
    expect((await approve({ expected_revision: 2 })).status).toBe(200);
  });

  it.each(['', '/diff'])(
    'the approval of a proposal is refused for a revision of which only the headers were requested (HEAD %s)',
    async (path) => {
      await alice.get(`/proposals/${id}`);
      await exchange();
      for (const asked of [`/proposals/${id}${path}`, '/proposals'])
        expect((await alice.send('HEAD', asked)).status).toBe(200);
      expect(codeOf(await approve())).toEqual([409, 'REVISION_CONFLICT']);
      expect((await alice.get(`/proposals/${id}${path}`)).status).toBe(200);
      expect((await approve()).status).toBe(200);
    },
  );

  it('the approval of a proposal is possible without reading here for a proposal that was never revised', async () => {
    expect((await approve()).status).toBe(200);
  });
});
