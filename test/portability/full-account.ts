import { type TestApp, type TestUser, type World } from '../support/world.js';

const FORM = (content: string) =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="letter.txt"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n` +
  `--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"note":"${content}"}\r\n--x--\r\n`;

export interface FullAccount {
  user: TestUser;
  app: TestApp;
  nodes: string[];
  file: string;
  tag: string;
  group: string;
  friend: TestUser;
  developer: { id: string; apiKey: string };
}

/** One of everything that somebody can have, with the word in every text of it. */
export async function fullAccount(world: World, word: string): Promise<FullAccount> {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const made = async (by: { post: TestUser['post'] }, path: string, body?: unknown): Promise<any> => {
    const { status, body: answer, text } = await by.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return answer;
  };
  const user = await world.user(undefined, { email: `${word}@example.org`, username: word });
  const friend = await world.user();
  const parent = await made(user, '/tags', { name: `${word} parent`, category: word, description: word });
  const tag = await made(user, '/tags', { name: word, color: '#aabbcc', parent_tag_id: parent.id });
  const gone = await made(user, '/tags', { name: `${word} gone` });
  const schema = await made(user, '/schemas', {
    name: word,
    description: word,
    category: word,
    schema_metadata: { word },
    json_schema: {
      type: 'object',
      title: word,
      properties: { b: { type: 'string' }, a: { type: 'string' } },
    },
  });
  const child = await made(user, '/schemas', { name: `${word} child`, extends: schema.id, json_schema: {} });
  const lost = await made(user, '/schemas', { name: `${word} lost`, json_schema: {} });
  await user.delete(`/schemas/${lost.id}`);
  const metadata = { properties: { a: word, big: 1e21, small: 1.5e-7 } };
  const nodes: string[] = [];
  for (let i = 0; i < 4; i++) {
    const node = await made(user, '/nodes', {
      title: `${word} ${i} — "ünï"\n`,
      value: word,
      node_type: word,
      metadata,
      tags: [word, `${word} gone`],
      ...(i === 0 ? { schema_id: child.id } : {}),
      change_reason: word,
    });
    nodes.push(node.id);
  }
  await user.put(`/nodes/${nodes[0]}`, { title: `${word} new title`, change_reason: word });
  await user.delete(`/nodes/${nodes[3]}`);
  await user.delete(`/tags/${gone.id}`);
  await made(user, '/relationships', {
    from_node_id: nodes[0],
    to_node_id: nodes[1],
    relationship_type: word,
    context: word,
    emotion_type: word,
  });
  for (const model of ['', word])
    await user.put(`/nodes/${nodes[0]}/embedding`, {
      embedding: [0.1, 0.2, 0.3],
      ...(model ? { model } : {}),
    });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const upload = await user.post('/nodes/upload', FORM(`${word} in a file`), { headers });
  if (upload.status !== 201) throw new Error(upload.text);
  await user.post('/raw-files', FORM(`${word} in a file`), { headers });
  const rules = {
    description: word,
    tag_permissions: {
      read: { allow_all: true },
      discover: { allow_all: true },
      create: { allow_all: true },
      edit: { allow_all: true },
      propose: { allow_all: true },
    },
    schema_permissions: { read: { allow_all: true }, write: { allow_all: true } },
    tag_filters: { exclude_any: [`${word} unknown`, `${word} gone`] },
    tag_expression: { op: 'OR', conditions: [{ tag: word }, { op: 'AND', conditions: [] }] },
    allowed_node_types: [],
    date_range_start: '2020-01-01T00:00:00Z',
    transformations: [
      'pii_redaction',
      { type: 'truncate', config: { field: 'value', max: 1000 }, apply_to: { node_types: [word] } },
    ],
  };
  await made(user, '/exposure-profiles', { name: word, ...rules, is_default: true });
  const app = await world.app();
  const client = await user.lets(app);
  await made(client, '/nodes', {
    title: `${word} by an agent`,
    node_type: word,
    tags: [word],
    agent_metadata: {
      agent_id: '0b8f5a52-6a9e-4c0e-9f3e-0d2f3c1a7b11',
      agent_name: word,
      session_id: word,
      confidence_score: 0.5,
      extraction_method: word,
    },
  });
  const proposal = await made(client, '/proposals', {
    title: word,
    description: word,
    canonical_data: { title: `${word} proposed`, node_type: word, value: word },
    reasoning_metadata: { word },
  });
  await client.patch(`/proposals/${proposal.id}`, { status: 'READY_FOR_APPROVAL' });
  await made(user, `/proposals/${proposal.id}/approve`, { message: word });
  await made(user, `/proposals/${proposal.id}/apply`);
  await made(user, '/sessions', { external_id: `${word} own`, agent_name: word });
  await made(user, '/webhooks/subscribe', {
    app_id: app.id,
    webhook_url: `https://example.org/${word}`,
    events: ['node.created'],
  });
  await made(user, '/sharing', { shared_with_user_id: friend.id, scope: 'all', can_share: true });
  await made(friend, '/sharing', { shared_with_user_id: user.id, scope: 'all' });
  await made(user, '/follows', { target_user_id: friend.id, message: word });
  await user.put(`/blocked-users/${(await world.user()).id}`);
  const group = await made(user, '/groups', { name: word, description: word });
  await made(user, `/groups/${group.id}/nodes`, { title: word, node_type: word, tags: [word] });
  await made(user, `/groups/${group.id}/invitations`, { user_id: friend.id, message: word });
  const { body: mine } = await user.post('/apps', {
    name: word,
    description: word,
    homepage_url: `https://example.org/${word}`,
    requested_permissions: { tags: { read: true } },
  });
  await user.post(
    '/nodes',
    { title: `${word} once`, node_type: word },
    { headers: { 'Idempotency-Key': word } },
  );
  return {
    user,
    app,
    nodes,
    file: upload.body.id,
    tag: tag.id,
    group: group.id,
    friend,
    developer: { id: mine.id, apiKey: mine.api_key },
  };
}
