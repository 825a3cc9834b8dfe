import { type Client as Modern } from '@modelcontextprotocol/client';
import { generateKeyPairSync } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { allSchemas, allTags } from '../support/defaults.js';
import { callTool, modernAssistant, sendMessage } from '../support/mcp.js';
import { OAuthWorld } from '../support/oauth.js';
import { until } from '../support/until.js';
import { type TestUser, World } from '../support/world.js';

/** The time in which a stream must end after the answer to the request that ends its access. */
const MOST_MS = 1000;
const SCOPE = 'graph:read graph:propose';

/** A person, their app, and what the app is connected by. */
interface Scene {
  person: TestUser;
  developer: TestUser;
  appId: string;
  keyId: string;
  authorizationId: string;
  profileId: string;
  tagId: string;
  nodeId: string;
  token: string;
  refreshToken: string;
  credentials: Record<string, string>;
}

type Change = (scene: Scene) => Promise<{ status: number; text: string }>;
interface Case {
  what: string;
  by?: 'key';
  change: Change;
  /** The next call's outcome. */
  then: 'is refused' | 'is shown less';
}

/**
 * Access that ends or narrows in one process ends the streams of the other one, and holds for its next call (rules 2.8 and
 * 15.7). The embedded database has one process only; there both doors are its own.
 */
describe('listening in another process', () => {
  let oauth: OAuthWorld;
  let second: World | null = null;
  let elsewhere: string;
  beforeAll(async () => {
    const keys = {
      JWT_PRIVATE_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    oauth = await OAuthWorld.startHere(keys);
    const { databaseUrl } = oauth.world.nest.get(Config);
    if (onPostgres)
      second = await World.startHere({
        ...keys,
        PUBLIC_URL: oauth.origin,
        DATABASE_URL: databaseUrl as string,
      });
    elsewhere = (second ?? oauth.world).origin;
  });
  afterAll(async () => {
    await second?.stop();
    await oauth.world.stop();
  });

  async function scene(by?: 'key'): Promise<Scene> {
    const person = await oauth.world.user();
    const { body: tag } = await person.post('/tags', { name: 'private' });
    const note = { title: 'Swim', node_type: 'note', tags: ['private'] };
    const { body: node } = await person.post('/nodes', note);
    const { body: profile } = await person.post('/exposure-profiles', {
      name: 'all',
      tag_permissions: { discover: allTags, read: allTags, propose: allTags },
      schema_permissions: allSchemas,
    });
    const { id: appId, developer } = await oauth.app();
    const tokens = await oauth.connect(appId, person, {
      parameters: { scope: SCOPE },
      terms: { exposure_profile_id: profile.id },
    });
    const { body: key } = await developer.post(`/apps/${appId}/keys`, {});
    const { authorization } = (await oauth.with(tokens.access_token).get('/authorizations/current')).body;
    return {
      person,
      developer,
      appId,
      keyId: key.id,
      authorizationId: authorization.id,
      profileId: profile.id,
      tagId: tag.id,
      nodeId: node.id,
      token: tokens.access_token,
      refreshToken: tokens.refresh_token,
      credentials:
        by === 'key'
          ? { 'X-API-Key': key.api_key, 'X-User-ID': person.id }
          : { Authorization: `Bearer ${tokens.access_token}` },
    };
  }

  /** Listens in the other process for every announcement that there is. */
  async function listening({ credentials, nodeId }: Scene) {
    // The other process is known by its own port: the address that clients know is a proxy's.
    const client: Modern = await modernAssistant({ origin: elsewhere, fetch, headers: credentials });
    const heard: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
    const uri = `graph://node/${nodeId}`;
    const { closed } = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
    let endedAt: number | null = null;
    void closed.then(() => (endedAt = performance.now()));
    return { client, heard, uri, endedAt: () => endedAt };
  }

  const ENDS: Case[] = [
    {
      what: 'an authorization that its person revokes',
      change: ({ person, authorizationId }) => person.delete(`/authorizations/${authorizationId}`),
      then: 'is refused',
    },
    {
      what: 'an authorization that is revoked beside a key',
      by: 'key',
      change: ({ person, authorizationId }) => person.delete(`/authorizations/${authorizationId}`),
      then: 'is refused',
    },
    {
      what: 'access that its app gives up',
      change: ({ token }) => oauth.with(token).delete('/authorizations/current'),
      then: 'is refused',
    },
    {
      what: 'a session that its person ends',
      change: async ({ person, authorizationId }) => {
        const path = `/authorizations/${authorizationId}/sessions`;
        const [session] = (await person.get(path)).body.sessions as [{ id: string }];
        return person.delete(`${path}/${session.id}`);
      },
      then: 'is refused',
    },
    {
      what: 'an access token that its client revokes',
      change: ({ appId, token }) => oauth.form('revoke', { client_id: appId, token }),
      then: 'is refused',
    },
    {
      what: 'a refresh token that its client revokes',
      change: ({ appId, refreshToken }) => oauth.form('revoke', { client_id: appId, token: refreshToken }),
      then: 'is refused',
    },
    {
      what: 'an app that is deleted',
      change: ({ developer, appId }) => developer.delete(`/apps/${appId}`),
      then: 'is refused',
    },
    {
      what: 'a key that is deleted',
      by: 'key',
      change: ({ developer, appId, keyId }) => developer.delete(`/apps/${appId}/keys/${keyId}`),
      then: 'is refused',
    },
    {
      what: 'an account that is erased',
      change: ({ person }) => person.delete('/auth/me', { password: 'correct horse battery' }),
      then: 'is refused',
    },
    {
      what: 'scopes that their person narrows',
      change: ({ person, authorizationId }) =>
        person.patch(`/authorizations/${authorizationId}`, { scopes: ['graph:propose'] }),
      then: 'is shown less',
    },
    {
      what: 'a profile that is switched off',
      change: ({ person, profileId }) => person.put(`/exposure-profiles/${profileId}`, { is_active: false }),
      then: 'is refused',
    },
    {
      what: 'a profile that is narrowed',
      change: ({ person, profileId, tagId }) =>
        person.put(`/exposure-profiles/${profileId}`, { excluded_tag_ids: [tagId] }),
      then: 'is shown less',
    },
    {
      what: 'another, narrower profile',
      change: async ({ person, authorizationId, profileId, tagId }) => {
        const { body: wide } = await person.get(`/exposure-profiles/${profileId}`);
        const { body: narrow } = await person.post('/exposure-profiles', {
          name: 'narrow',
          tag_permissions: wide.tag_permissions,
          schema_permissions: wide.schema_permissions,
          excluded_tag_ids: [tagId],
        });
        return person.patch(`/authorizations/${authorizationId}`, { exposure_profile_id: narrow.id });
      },
      then: 'is shown less',
    },
  ];

  it.each(ENDS.map((one) => [one.what, one] as const))(
    '%s ends the stream within a second and holds for the next call',
    async (_, { by, change, then }) => {
      const made = await scene(by);
      const caller = new Client(elsewhere, made.credentials);
      const { client, heard, endedAt } = await listening(made);
      expect((await callTool(caller, 'fetch', { id: made.nodeId })).structuredContent.title).toBe('Swim');
      const { status, text } = await change(made);
      const changedAt = performance.now();
      expect([status < 300, text]).toEqual([true, text]);
      const call = { name: 'fetch', arguments: { id: made.nodeId } };
      const next = await sendMessage(caller, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
      expect(outcomeOf(next)).toBe(then);
      await made.person.patch(`/nodes/${made.nodeId}`, { value: 'a secret' });
      await until(() => endedAt() !== null, 'the end of the stream');
      expect((endedAt() as unknown as number) - changedAt).toBeLessThan(MOST_MS);
      // Nothing of the change that came after it.
      expect(heard).toEqual(['tools']);
      await client.close();
    },
  );

  it('a client that listens again after its profile was narrowed hears what that still shows', async () => {
    const made = await scene();
    const first = await listening(made);
    const { body: shown } = await made.person.post('/nodes', { title: 'Bake', node_type: 'note' });
    await made.person.put(`/exposure-profiles/${made.profileId}`, { excluded_tag_ids: [made.tagId] });
    await until(() => first.endedAt() !== null, 'the end of the stream');
    const again = await listening({ ...made, nodeId: shown.id });
    const hidden = await listening(made);
    await made.person.patch(`/nodes/${made.nodeId}`, { value: 'a secret' });
    await made.person.patch(`/nodes/${shown.id}`, { value: 'a loaf' });
    await until(() => again.heard.length > 0, 'a change');
    await again.client.close();
    expect([again.heard, hidden.heard]).toEqual([[again.uri], []]);
    for (const { client } of [first, hidden]) await client.close();
  });

  it('a person who logs out everywhere leaves an app listening (rule 14.5c)', async () => {
    const made = await scene();
    const { client, heard, uri, endedAt } = await listening(made);
    expect((await made.person.delete('/auth/sessions')).status).toBeLessThan(300);
    await made.person.logsIn();
    await made.person.patch(`/nodes/${made.nodeId}`, { value: 'in July' });
    await until(() => heard.length > 0, 'a change');
    expect([heard, endedAt()]).toEqual([[uri], null]);
    await client.close();
  });
});

function outcomeOf({ status, message }: Awaited<ReturnType<typeof sendMessage>>): string {
  if (status === 401 || status === 403) return 'is refused';
  const text = message.result?.content?.[0]?.text as string | undefined;
  const isAbsent = message.result?.isError === true && text?.startsWith('I cannot find this');
  return isAbsent ? 'is shown less' : `is answered by ${JSON.stringify(message)}`;
}
