import { idOf } from '../support/plausible.js';
import { type Answer } from '../support/client.js';
import { type Case, later, passTime, type Scene } from './freshness-changes.js';

/** Every way in which a sharer stops being an acquaintance of the app's person (rule 3.21). */

/** A node that the developer shares with the person, and the follow or share that makes them acquainted. */
interface Acquaintance {
  node: string;
  id: string;
}
const acquaintances = new WeakMap<Scene, Promise<Acquaintance>>();

type Way = (scene: Scene) => Promise<string>;

async function acquainted(scene: Scene, way: Way): Promise<Acquaintance> {
  const { alice, developer } = scene;
  const node = await idOf(developer, '/nodes', { title: 'theirs', node_type: 'note' });
  const share = { shared_with_user_id: alice.id, scope: 'specific_nodes', node_ids: [node] };
  await idOf(developer, '/sharing', share);
  return { node, id: await way(scene) };
}

const follows: Way = ({ alice, developer }) => idOf(alice, '/follows', { target_user_id: developer.id });
const isFollowed: Way = async ({ alice, developer, node: node_id }) => {
  const id = await idOf(developer, '/follows', { target_user_id: alice.id });
  const share = { scope: 'specific_nodes', node_ids: [node_id] };
  await alice.put(`/follows/${id}/respond`, { action: 'accept', share });
  return id;
};
const shares =
  (more: () => object = () => ({})): Way =>
  ({ alice, developer, node }) =>
    idOf(alice, '/sharing', {
      shared_with_user_id: developer.id,
      scope: 'specific_nodes',
      node_ids: [node],
      ...more(),
    });

const ending = (what: string, way: Way, end: (scene: Scene, id: string) => Promise<Answer | void>): Case => {
  const of = (scene: Scene): Promise<Acquaintance> => {
    const known = acquaintances.get(scene) ?? acquainted(scene, way);
    acquaintances.set(scene, known);
    return known;
  };
  return {
    what,
    probe: async (client, scene) => (await client.get(`/nodes/${(await of(scene)).node}`)).status,
    change: async (scene) => end(scene, (await of(scene)).id),
    after: 404,
  };
};

export const ACQUAINTANCE_ENDS: Case[] = [
  ending('the end of a follow of a sharer', follows, ({ alice }, id) => alice.delete(`/follows/${id}`)),
  ending('a sharer who declines to be followed', follows, ({ developer }, id) =>
    developer.put(`/follows/${id}/respond`, { action: 'decline' }),
  ),
  ending('the end of a follow by a sharer', isFollowed, ({ alice }, id) => alice.delete(`/follows/${id}`)),
  ending('a revoked share to a sharer', shares(), ({ alice }, id) => alice.delete(`/sharing/${id}`)),
  ending('a share that a sharer gives back', shares(), ({ alice, developer }) =>
    developer.delete(`/sharing/incoming/${alice.id}`),
  ),
  ending(
    'the expiry of a share to a sharer',
    shares(() => ({ expires_at: later() })),
    async () => passTime(),
  ),
];
