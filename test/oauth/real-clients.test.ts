import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentsClient } from '../../src/oauth/infrastructure/documents-client.js';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const BROWSER = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
const PUBLIC = { ...BROWSER, token_endpoint_auth_method: 'none' };
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A client in the wild: how it is known, the parameters that it adds to its request, and where that was seen. */
interface Recorded {
  name: string;
  source: string;
  /** A document with its client_id, or the body of a registration. */
  document?: { client_id: string } & Record<string, unknown>;
  registration?: Record<string, unknown>;
  redirectUri: string;
  sends: Record<string, string>;
}

const CLAUDE_CODE = {
  client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
  client_name: 'Claude Code',
  client_uri: 'https://claude.ai',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  ...PUBLIC,
};
const CURSOR = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
];
const VS_CODE = ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/', 'http://127.0.0.1/'];

const CLIENTS: Recorded[] = [
  {
    name: 'Claude Code by its document',
    source: 'anthropics/claude-code#42301, #37767: a port that its document does not name',
    document: CLAUDE_CODE,
    redirectUri: 'http://localhost:58135/callback',
    sends: { scope: 'graph:read graph:propose offline_access', prompt: 'consent' },
  },
  {
    name: 'Claude Code by its document on the other host',
    source: 'anthropics/claude-code#64705',
    document: CLAUDE_CODE,
    redirectUri: 'http://127.0.0.1:52163/callback',
    sends: { scope: 'graph:read' },
  },
  {
    name: 'claude.ai by registration',
    source: 'anthropics/claude-code#5826 (the body), modelcontextprotocol#653 (a scope of its own)',
    registration: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      ...BROWSER,
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'claudeai',
    },
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    sends: { scope: 'claudeai' },
  },
  {
    name: 'ChatGPT by its document',
    source:
      'django-oauth-toolkit#1845 (the document), Altinity/altinity-mcp#118 and sentry-mcp#1271 (the request)',
    document: {
      client_id: 'https://chatgpt.com/oauth/kDmjx77UnKOM/client.json',
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector/oauth/kDmjx77UnKOM'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      ...BROWSER,
      client_name: 'ChatGPT',
      logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
    redirectUri: 'https://chatgpt.com/connector/oauth/kDmjx77UnKOM',
    sends: { scope: 'graph:read graph:propose' },
  },
  {
    name: 'ChatGPT by registration, without scopes',
    source: 'makeplane/plane-mcp-server#165: the address of older connectors',
    registration: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      ...PUBLIC,
    },
    redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
    sends: {},
  },
  {
    name: 'VS Code by its document',
    source: 'microsoft/vscode#278512: any port of its machine',
    document: {
      client_id: 'https://vscode.dev/oauth/client-metadata.json',
      client_name: 'Visual Studio Code',
      client_uri: 'https://vscode.dev/product',
      redirect_uris: VS_CODE,
      ...PUBLIC,
      application_type: 'native',
    },
    redirectUri: 'http://127.0.0.1:61234/',
    sends: { scope: 'graph:read graph:propose' },
  },
  {
    name: 'VS Code by registration',
    source: 'microsoft/vscode#252226 (a native app), #256288; contextstream/mcp-server#57 (the addresses)',
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: [...BROWSER.grant_types, DEVICE_GRANT],
      response_types: ['code'],
      redirect_uris: VS_CODE,
      scope: 'openid',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUri: 'https://vscode.dev/redirect',
    sends: { scope: 'graph:read openid' },
  },
  ...CURSOR.map((redirectUri) => ({
    name: `Cursor by registration, answered at ${redirectUri}`,
    source: 'erp-mafia/accounted#2225 (three addresses at once), different-ai/openwork#3059 (no secret)',
    registration: { client_name: 'Cursor', redirect_uris: CURSOR, ...PUBLIC },
    redirectUri,
    sends: { scope: 'graph:read graph:propose' },
  })),
];

describe('clients in the wild (rules 14.3, 14.6)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    person = await oauth.world.user();
    // Their sites are on the internet; everything behind the connection is the service's own.
    const documents = new Map(CLIENTS.map(({ document }) => [document?.client_id, JSON.stringify(document)]));
    Object.assign(oauth.world.nest.get(DocumentsClient), {
      fetch: (url: string) => Promise.resolve({ text: documents.get(url) ?? '', lifetimeMs: 300_000 }),
    });
  });
  afterAll(() => oauth.world.stop());

  const known = async ({ document, registration }: Recorded): Promise<string> => {
    if (document !== undefined) return document.client_id;
    const answer = await oauth.world.api.post('//oauth/register', registration);
    expect([answer.status, answer.body.redirect_uris]).toEqual([201, registration?.redirect_uris]);
    return answer.body.client_id as string;
  };

  it.each(CLIENTS.map((client) => [client.name, client] as const))(
    '%s gets its tokens',
    async (_, client) => {
      const { body: metadata } = await oauth.world.api.get('//.well-known/oauth-authorization-server');
      const resource = `${metadata.issuer}/mcp`;
      const id = await known(client);
      const sent = { redirect_uri: client.redirectUri, resource, ...client.sends };
      const { request, verifier } = await oauth.request(id, sent);
      const { body: page } = await person.get(`/oauth/consent?request=${request}`);
      expect(page.client.verified).toBe(client.document !== undefined);
      const back = await oauth.allow(person, request);
      expect(back.href.startsWith(`${client.redirectUri}?code=`)).toBe(true);
      expect(back.searchParams.get('iss')).toBe(metadata.issuer);
      const tokens = await oauth.redeem(id, back, verifier, { redirect_uri: client.redirectUri, resource });
      expect([tokens.status, tokens.body.token_type]).toEqual([200, 'Bearer']);
      const refreshed = await oauth.refresh(id, tokens.body.refresh_token, { resource });
      expect([refreshed.status, refreshed.body.scope]).toEqual([200, tokens.body.scope]);
    },
  );

  it('each recorded client names its source', () =>
    expect(CLIENTS.filter(({ source }) => !/#\d+/.test(source))).toEqual([]));
});
