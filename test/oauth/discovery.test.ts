import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

describe('discovery of the authorization server (rule 14.1)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
  });
  afterAll(() => oauth.world.stop());

  it('metadata name addresses below PUBLIC_URL, whatever the request says of its host', async () => {
    const lying = {
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
    };
    const { body } = await oauth.world.api.get('//.well-known/oauth-authorization-server', lying);
    expect(body.issuer).toBe(oauth.origin);
    for (const [name, value] of Object.entries(body))
      if (name.endsWith('_endpoint'))
        expect((value as string).startsWith(`${oauth.origin}/oauth/`)).toBe(true);
    expect(body.code_challenge_methods_supported).toEqual(['S256']);
    const documentation = (body.service_documentation as string).replace(oauth.origin, '');
    expect((await oauth.world.api.get(`/${documentation}`)).status).toBe(200);
  });

  it.each([
    ['', '/mcp'],
    ['/mcp', '/mcp'],
    ['/api/v1', '/api/v1'],
  ])('the metadata of the protected resource at "%s" are those of %s', async (path, resource) => {
    const { body } = await oauth.world.api.get(`//.well-known/oauth-protected-resource${path}`);
    expect(body).toMatchObject({
      resource: oauth.origin + resource,
      authorization_servers: [oauth.origin],
      scopes_supported: ['graph:read', 'graph:propose'],
    });
  });

  it('a request without a credential, and one with a token of the right form, learn where to ask for one', async () => {
    const pointer = `resource_metadata="${oauth.origin}/.well-known/oauth-protected-resource/api/v1", scope="graph:read graph:propose"`;
    const none = await oauth.world.api.get('/nodes');
    expect([none.status, none.headers['www-authenticate']]).toEqual([
      401,
      `Bearer realm="api", ${pointer}, ApiKey realm="api"`,
    ]);
    for (const token of [`pig_at_${'x'.repeat(49)}`, 'pig_at_', 'eyJhbGciOiJub25lIn0.e30.'])
      expect((await oauth.with(token).get('/nodes')).headers['www-authenticate']).toBe(
        `Bearer realm="api", error="invalid_token", ${pointer}, ApiKey realm="api"`,
      );
  });

  it('a token without a scope learns which one it needs, with those that it has', async () => {
    const app = await oauth.app();
    const { access_token } = await oauth.connect(app.id, person, { parameters: { scope: 'graph:discover' } });
    const refused = await oauth.with(access_token).post('/tags', { name: 'new' });
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", resource_metadata=');
    expect(refused.headers['www-authenticate']).toContain('scope="graph:discover graph:create"');
  });

  it('pages of any origin may call the endpoints of clients, and no others', async () => {
    const origin = { headers: { Origin: 'https://claude.ai' } };
    const preflight = await oauth.world.api.send('OPTIONS', '//oauth/token', undefined, origin);
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    const metadata = await oauth.world.api.get('//.well-known/oauth-authorization-server', origin);
    expect(metadata.headers['access-control-allow-origin']).toBe('*');
    for (const path of ['//oauth/authorize', '/oauth/consent', '/nodes'])
      expect(
        (await oauth.world.api.get(path, origin)).headers['access-control-allow-origin'],
      ).toBeUndefined();
  });
});
