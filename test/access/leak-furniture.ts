import { idOf } from '../support/plausible.js';
import { type TestUser, type World } from '../support/world.js';
import { upload } from '../support/worlds/files.js';
import { type Ids } from './leak-classes.js';

interface Marking {
  /** A new marker. */
  mark: () => string;
  /** One file for each of these sets of tag ids. */
  tags: string[][];
}

/** Files with private markers in name, content and metadata. */
export async function files(user: TestUser, { mark, tags }: Marking): Promise<Ids> {
  const ids: string[] = [];
  for (const ofFile of tags) {
    const fields = { tags: JSON.stringify(ofFile), metadata: JSON.stringify({ [mark()]: mark() }) };
    const answer = await upload(user, '/nodes/upload', {
      filename: `${mark()}.txt`,
      content: `said in ${mark()}`,
      fields,
    });
    if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${answer.text}`);
    ids.push(answer.body.id as string);
  }
  return { file: ids };
}

/** A private schema with private content. */
export async function schemas(user: TestUser, mark: () => string): Promise<Ids> {
  const json_schema = { title: mark(), properties: { [mark()]: { description: mark() } } };
  const body = {
    name: mark(),
    description: mark(),
    category: mark(),
    scope: 'private',
    private_to: 'user',
    json_schema,
  };
  return { schema: [await idOf(user, '/schemas', body)] };
}

/** A person's dealings that nobody else knows of: shares, follows, invitations. */
export async function dealings(world: World, user: TestUser, node: string): Promise<Ids> {
  const friend = await world.user();
  const share = { shared_with_user_id: friend.id, scope: 'specific_nodes', node_ids: [node] };
  const group = await idOf(user, '/groups', { name: 'friends' });
  return {
    share: [await idOf(user, '/sharing', share)],
    follow: [await idOf(user, '/follows', { target_user_id: friend.id })],
    invitation: [await idOf(user, `/groups/${group}/invitations`, { user_id: friend.id })],
  };
}
