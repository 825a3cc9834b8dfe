import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { approved } from '../support/worlds/proposals.js';

/** An app that moves a node after the approval could show others what the diff said that they would not see (rule 8.7c). */
describe('proposals about nodes that their app has moved since', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;
  let other: Client;
  let hiding: string;
  let extra: string;
  let target: { id: string };
  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    const open = await tagId(alice, 'open');
    hiding = await tagId(alice, 'private');
    extra = await tagId(alice, 'extra');
    app = await letsIn(
      world,
      alice,
      profile(
        { discover: 'all', read: 'all', propose: 'all', edit: [hiding, extra] },
        {
          transformations: [
            { type: 'field_mask', config: { paths: ['value'] }, apply_to: { node_types: ['diary'] } },
          ],
        },
      ),
    );
    other = await letsIn(
      world,
      alice,
      profile({ read: [open] }, { tag_filters: { exclude_any: ['private'] } }),
    );
    target = await node(alice, { node_type: 'diary', tags: ['open', 'private'], value: 'old' });
  });

  const unhide = async () =>
    expect((await app.delete(`/nodes/${target.id}/tags/${hiding}`)).status).toBe(200);
  const applied = async (client: Client, id: string) => {
    const { body } = await client.post(`/proposals/${id}/apply`);
    return [body.status, body.errors.map(({ fields }: { fields?: string[] }) => fields)];
  };

  it('a merge is not applied by the app, and is by its user', async () => {
    const secret = await node(alice, { node_type: 'diary', tags: ['journal'], value: 'SECRET' });
    const data = {
      target_node_id: target.id,
      source_node_ids: [secret.id],
      field_choices: { value: secret.id },
    };
    const id = await approved(alice, app, { type: 'MERGE_NODES', canonical_data: data });
    await unhide();
    // It would show another app more than its user approved, which says nothing of fields.
    expect(await applied(app, id)).toEqual(['FAILED', [undefined]]);
    expect((await other.get(`/nodes/${target.id}`)).body.value).toBe('old');
    expect((await alice.post(`/proposals/${id}/approve`)).status).toBe(200);
    expect(await applied(alice, id)).toEqual(['APPLIED', []]);
  });

  it('an action conflicts also where the app has moved the node back again', async () => {
    const id = await approved(alice, app, {
      type: 'UPDATE_NODE',
      canonical_data: { node_id: target.id, changes: { node_type: 'note' } },
    });
    const path = `/nodes/${target.id}/tags`;
    expect((await app.post(path, { tag_id: extra })).status).toBeLessThan(300);
    expect((await app.delete(`${path}/${extra}`)).status).toBe(200);
    expect(await applied(app, id)).toEqual(['FAILED', [['tags']]]);
  });

  it('tags are not added by the app once it has taken one off', async () => {
    const data = { node_id: target.id, tags: ['wide'] };
    const id = await approved(alice, app, { type: 'ADD_TAGS', canonical_data: data });
    await unhide();
    expect(await applied(app, id)).toEqual(['FAILED', [['tags']]]);
    const again = await approved(alice, app, { type: 'ADD_TAGS', canonical_data: data });
    expect(await applied(app, again)).toEqual(['APPLIED', []]);
  });
});
