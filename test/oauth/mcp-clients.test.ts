import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as modern from '@modelcontextprotocol/client';
import * as legacy from '@modelcontextprotocol/sdk/client/auth.js';
import { DocumentsClient } from '../../src/oauth/infrastructure/documents-client.js';
import { OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { publicFetch } from './public-fetch.js';

type Tokens = modern.OAuthTokens;
type Client = modern.OAuthClientInformationMixed & { issuer?: string };

/** The memory of an MCP client between two pages of a browser. */
class Memory implements modern.OAuthClientProvider, legacy.OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { client_name: 'An assistant', redirect_uris: [REDIRECT_URI] };
  opened: URL | undefined;
  held: Tokens | undefined;
  #client: Client | undefined;
  #verifier = '';
  #discovery: modern.OAuthDiscoveryState | undefined;

  constructor(client?: Client) {
    this.#client = client;
  }

  state = () => 'a state';
  clientInformation = () => this.#client;
  saveClientInformation = (client: Client) => void (this.#client = client);
  tokens = () => this.held;
  saveTokens = (tokens: Tokens) => void (this.held = tokens);
  redirectToAuthorization = (address: URL) => void (this.opened = address);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: modern.OAuthDiscoveryState) => void (this.#discovery = state);
  discoveryState = () => this.#discovery;

  invalidateCredentials(part: string): void {
    if (part === 'tokens' || part === 'all') this.held = undefined;
    if (part === 'client' || part === 'all') this.#client = undefined;
  }
}

/** The code for OAuth of both generations of MCP clients, which share names, but no line. */
describe.each([
  ['@modelcontextprotocol/client 2', modern],
  ['@modelcontextprotocol/sdk 1', legacy as unknown as typeof modern],
])('%s as a client of the authorization server (rules 14)', (_, mcp) => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let app: { id: string; secret: string };
  let fetchFn: typeof fetch;
  beforeAll(async () => {
    // The client warns where it forgets credentials, as it should.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    oauth = await OAuthWorld.start();
    fetchFn = publicFetch(oauth);
    person = await oauth.world.user();
    app = await oauth.app();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await oauth.world.stop();
  });

  const known = (id: string) => ({ client_id: id, issuer: oauth.origin });
  const allowed = async (address: URL, at = oauth, by = person) => {
    const page = await at.authorize(Object.fromEntries(address.searchParams));
    const back = await at.allow(by, page.searchParams.get('request') as string);
    return { authorizationCode: back.searchParams.get('code') as string, iss: back.searchParams.get('iss')! };
  };
  const audienceOf = async ({ access_token: token }: Tokens, more: Record<string, string> = {}) => {
    const client = { client_id: app.id, ...more };
    return (await oauth.form('introspect', { ...client, token })).body.aud as string;
  };
  const challenged = async () => {
    const refusal = await fetchFn(`${oauth.origin}/api/v1/nodes`);
    expect(refusal.status).toBe(401);
    return mcp.extractWWWAuthenticateParams(refusal);
  };

  it('finds everything from a 401, and goes the whole way by its single steps', async () => {
    const serverUrl = `${oauth.origin}/api/v1/nodes`;
    const { resourceMetadataUrl, scope } = await challenged();
    expect([resourceMetadataUrl?.href, scope]).toEqual([
      `${oauth.origin}/.well-known/oauth-protected-resource/api/v1`,
      'graph:read graph:propose',
    ]);
    const found = await mcp.discoverOAuthProtectedResourceMetadata(
      serverUrl,
      { resourceMetadataUrl: resourceMetadataUrl! },
      fetchFn,
    );
    const [issuer] = found.authorization_servers as [string];
    const metadata = (await mcp.discoverAuthorizationServerMetadata(issuer, { fetchFn }))!;
    expect([issuer, metadata.issuer]).toEqual([oauth.origin, oauth.origin]);
    const clientInformation = { client_id: app.id };
    const { resource } = found;
    const { authorizationUrl, codeVerifier } = await mcp.startAuthorization(issuer, {
      metadata,
      clientInformation,
      redirectUrl: REDIRECT_URI,
      scope: scope!,
      state: 'a state',
      resource: new URL(resource),
    });
    const shared = { metadata, clientInformation, fetchFn, resource: new URL(resource) };
    const first = await mcp.exchangeAuthorization(issuer, {
      ...shared,
      ...(await allowed(authorizationUrl)),
      codeVerifier,
      redirectUri: REDIRECT_URI,
    });
    expect(first).toMatchObject({ token_type: 'Bearer', scope: 'graph:read graph:propose' });
    const refreshToken = first.refresh_token as string;
    const second = await mcp.refreshAuthorization(issuer, { ...shared, refreshToken });
    expect(second.refresh_token).not.toBe(refreshToken);
    for (const { access_token } of [first, second])
      expect((await oauth.with(access_token).get('/nodes')).status).toBe(200);
    expect(await audienceOf(second)).toBe(resource);
  });

  it.each([
    ['without a secret', false],
    ['with its secret', true],
  ])('connects by itself %s to the address of its MCP server, and refreshes', async (_how, hasSecret) => {
    const secret: Record<string, string> = hasSecret ? { client_secret: app.secret } : {};
    const memory = new Memory({ ...known(app.id), ...secret });
    const options = { serverUrl: `${oauth.origin}/mcp`, fetchFn };
    expect(await mcp.auth(memory, options)).toBe('REDIRECT');
    const asked = Object.fromEntries(memory.opened!.searchParams);
    expect(asked).toMatchObject({
      client_id: app.id,
      resource: options.serverUrl,
      state: 'a state',
      code_challenge_method: 'S256',
    });
    expect(await mcp.auth(memory, { ...options, ...(await allowed(memory.opened!)) })).toBe('AUTHORIZED');
    const first = memory.held!;
    expect(await audienceOf(first, secret)).toBe(options.serverUrl);
    expect(await mcp.auth(memory, options)).toBe('AUTHORIZED');
    expect(memory.held!.access_token).not.toBe(first.access_token);
    expect(await audienceOf(memory.held!, secret)).toBe(options.serverUrl);
  });

  it('registers itself, connects with the id that it gets, and refreshes', async () => {
    const memory = new Memory();
    const options = { serverUrl: `${oauth.origin}/mcp`, fetchFn };
    expect(await mcp.auth(memory, options)).toBe('REDIRECT');
    const { client_id: id } = memory.clientInformation()!;
    expect(memory.opened!.searchParams.get('client_id')).toBe(id);
    const page = await oauth.authorize(Object.fromEntries(memory.opened!.searchParams));
    const request = page.searchParams.get('request') as string;
    const { body } = await person.get(`/oauth/consent?request=${request}`);
    expect(body.client).toMatchObject({ name: 'An assistant', kind: 'dynamic', verified: false });
    expect(await mcp.auth(memory, { ...options, ...(await allowed(memory.opened!)) })).toBe('AUTHORIZED');
    const first = memory.held!;
    expect(await audienceOf(first, { client_id: id })).toBe(options.serverUrl);
    expect(await mcp.auth(memory, options)).toBe('AUTHORIZED');
    expect(memory.held!.refresh_token).not.toBe(first.refresh_token);
    expect(await audienceOf(memory.held!, { client_id: id })).toBe(options.serverUrl);
    expect(memory.clientInformation()!.client_id).toBe(id);
  });

  it('names the address of its document in place of a registration, connects and refreshes', async () => {
    const here = await OAuthWorld.startHere();
    try {
      const address = 'https://assistant.example/client.json';
      const memory = Object.assign(new Memory(), { clientMetadataUrl: address });
      const text = JSON.stringify({ ...memory.clientMetadata, client_id: address });
      // Its site is on the internet; everything behind the connection is the service's own.
      Object.assign(here.world.nest.get(DocumentsClient), {
        fetch: async () => ({ text, lifetimeMs: 1_000 }),
      });
      const options = { serverUrl: `${here.origin}/mcp`, fetchFn: publicFetch(here) };
      expect(await mcp.auth(memory, options)).toBe('REDIRECT');
      expect(memory.opened!.searchParams.get('client_id')).toBe(address);
      const answer = await allowed(memory.opened!, here, await here.world.user());
      expect(await mcp.auth(memory, { ...options, ...answer })).toBe('AUTHORIZED');
      const { refresh_token: first } = memory.held!;
      expect(await mcp.auth(memory, options)).toBe('AUTHORIZED');
      expect(memory.held!.refresh_token).not.toBe(first);
    } finally {
      await here.world.stop();
    }
  });

  it('asks its person again where its session has ended', async () => {
    const memory = new Memory(known(app.id));
    const options = { serverUrl: `${oauth.origin}/mcp`, fetchFn };
    await mcp.auth(memory, options);
    await mcp.auth(memory, { ...options, ...(await allowed(memory.opened!)) });
    await oauth.form('revoke', { client_id: app.id, token: memory.held!.refresh_token! });
    memory.opened = undefined;
    expect(await mcp.auth(memory, options)).toBe('REDIRECT');
    expect(memory.opened).toBeDefined();
    await mcp.auth(memory, { ...options, ...(await allowed(memory.opened!)) });
    expect(await audienceOf(memory.held!)).toBe(options.serverUrl);
  });

  it('forgets a client that is no longer known', async () => {
    const gone = await oauth.app();
    const memory = new Memory(known(gone.id));
    const options = { serverUrl: `${oauth.origin}/mcp`, fetchFn };
    await mcp.auth(memory, options);
    await mcp.auth(memory, { ...options, ...(await allowed(memory.opened!)) });
    await gone.developer.delete(`/apps/${gone.id}`);
    // Some then register again, which is not part of this test.
    await mcp.auth(memory, options).catch(() => undefined);
    expect(memory.clientInformation()?.client_id).not.toBe(gone.id);
    expect(memory.held).toBeUndefined();
  });
});
