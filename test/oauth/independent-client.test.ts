import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth4webapi from 'oauth4webapi';
import { OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { publicFetch } from './public-fetch.js';

const { None, ClientSecretBasic, ClientSecretPost } = oauth4webapi;

/** A strict client that somebody else wrote, with its defaults but for http, which is refused beyond this machine. */
describe('oauth4webapi as a client of the authorization server (rules 14)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let app: { id: string; secret: string };
  let server: oauth4webapi.AuthorizationServer;
  let http: { [oauth4webapi.customFetch]: typeof fetch; [oauth4webapi.allowInsecureRequests]: true };
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
    app = await oauth.app();
    http = { [oauth4webapi.customFetch]: publicFetch(oauth), [oauth4webapi.allowInsecureRequests]: true };
    const issuer = new URL(oauth.origin);
    const answer = await oauth4webapi.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' });
    server = await oauth4webapi.processDiscoveryResponse(issuer, answer);
  });
  afterAll(() => oauth.world.stop());

  const client = () => ({ client_id: app.id });
  /** The address for a browser, from the metadata. */
  const addressFor = (parameters: Record<string, string>) => {
    const address = new URL(server.authorization_endpoint as string);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return address;
  };
  /** Follows an address as a browser does, to a person who allows it. */
  const allowed = async (address: URL) => {
    expect(address.origin + address.pathname).toBe(`${oauth.origin}/oauth/authorize`);
    const page = await oauth.authorize(Object.fromEntries(address.searchParams));
    return oauth.allow(person, page.searchParams.get('request') as string);
  };
  const asked = async (more: Record<string, string> = {}) => {
    const verifier = oauth4webapi.generateRandomCodeVerifier();
    const state = oauth4webapi.generateRandomState();
    const parameters = {
      client_id: app.id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'graph:read',
      state,
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    };
    return { verifier, state, parameters };
  };
  const redeemed = async (
    way: { back: URL; state: string; verifier: string },
    authentication = None(),
    more: Record<string, string> = {},
  ) => {
    const answer = oauth4webapi.validateAuthResponse(server, client(), way.back, way.state);
    return oauth4webapi.authorizationCodeGrantRequest(
      server,
      client(),
      authentication,
      answer,
      REDIRECT_URI,
      way.verifier,
      { ...http, additionalParameters: more },
    );
  };
  const connected = async (authentication = None(), more: Record<string, string> = {}) => {
    const { parameters, ...way } = await asked(more);
    const back = await allowed(addressFor(parameters));
    const answer = await redeemed({ back, ...way }, authentication, more);
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(server, client(), answer);
    return { ...tokens, refresh_token: tokens.refresh_token as string };
  };
  const refreshed = async (token: string, authentication = None()) => {
    const answer = await oauth4webapi.refreshTokenGrantRequest(server, client(), authentication, token, http);
    const tokens = await oauth4webapi.processRefreshTokenResponse(server, client(), answer);
    return { ...tokens, refresh_token: tokens.refresh_token as string };
  };
  const looked = async (token: string, authentication = None()) => {
    const answer = await oauth4webapi.introspectionRequest(server, client(), authentication, token, http);
    return oauth4webapi.processIntrospectionResponse(server, client(), answer);
  };
  const revoked = async (token: string) => {
    const answer = await oauth4webapi.revocationRequest(server, client(), None(), token, http);
    await oauth4webapi.processRevocationResponse(answer);
  };
  const opens = (token: string) =>
    oauth4webapi.protectedResourceRequest(
      token,
      'GET',
      new URL(`${oauth.origin}/api/v1/nodes`),
      undefined,
      null,
      http,
    );

  it('goes the whole way of a code, from the metadata to data of the person', async () => {
    const tokens = await connected();
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'graph:read', expires_in: 86_400 });
    expect((await opens(tokens.access_token)).status).toBe(200);
  });

  it('refuses an answer with another state, another issuer or without one', async () => {
    const { parameters, state } = await asked();
    const back = await allowed(addressFor(parameters));
    const check = (address: URL, expected = state) =>
      oauth4webapi.validateAuthResponse(server, client(), address, expected);
    expect(() => check(back, 'another')).toThrow('state');
    const mixedUp = new URL(back);
    mixedUp.searchParams.set('iss', 'https://evil.example');
    expect(() => check(mixedUp)).toThrow('iss');
    mixedUp.searchParams.delete('iss');
    expect(() => check(mixedUp)).toThrow('iss');
    expect(check(back).get('code')).toBe(back.searchParams.get('code'));
  });

  it('reads a denial and a refused request as errors of the authorization server', async () => {
    const { parameters, state } = await asked({ resource: 'https://evil.example' });
    const refused = await oauth.authorize(parameters);
    const caught = (address: URL): unknown => {
      try {
        return oauth4webapi.validateAuthResponse(server, client(), address, state);
      } catch (error) {
        return error;
      }
    };
    expect(caught(refused)).toMatchObject({ error: 'invalid_target' });
    const page = await oauth.authorize({ ...parameters, resource: oauth.origin });
    const request = page.searchParams.get('request');
    const { body } = await person.post('/oauth/consent', { request, decision: 'deny' });
    expect(caught(new URL(body.redirect_to as string))).toMatchObject({ error: 'access_denied' });
  });

  it('reads a code that is used twice as invalid_grant, with its reason', async () => {
    const { parameters, ...way } = await asked();
    const back = await allowed(addressFor(parameters));
    const first = await redeemed({ back, ...way });
    await oauth4webapi.processAuthorizationCodeResponse(server, client(), first);
    const second = await redeemed({ back, ...way });
    await expect(
      oauth4webapi.processAuthorizationCodeResponse(server, client(), second),
    ).rejects.toMatchObject({ error: 'invalid_grant', status: 400, error_description: expect.any(String) });
  });

  it('refreshes, looks up and revokes what it holds', async () => {
    const first = await connected();
    const second = await refreshed(first.refresh_token);
    expect(second.scope).toBe('graph:read');
    const state = await looked(second.access_token);
    expect(state).toMatchObject({
      active: true,
      client_id: app.id,
      sub: person.id,
      iss: oauth.origin,
      aud: oauth.origin,
      scope: 'graph:read',
    });
    await revoked(second.refresh_token);
    for (const token of [first.access_token, second.access_token, second.refresh_token])
      expect(await looked(token)).toEqual({ active: false });
    await expect(refreshed(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    await revoked('a text that is no token');
  });

  it('reads the challenge of a 401, and finds the metadata that it names', async () => {
    const { access_token } = await connected();
    await revoked(access_token);
    const refusal = await opens(access_token).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(oauth4webapi.WWWAuthenticateChallengeError);
    const [challenge] = (refusal as oauth4webapi.WWWAuthenticateChallengeError).cause;
    expect(challenge).toMatchObject({
      scheme: 'bearer',
      parameters: {
        error: 'invalid_token',
        resource_metadata: `${oauth.origin}/.well-known/oauth-protected-resource/api/v1`,
        scope: 'graph:read graph:propose',
      },
    });
  });

  it('accepts the metadata of both resources, which name this issuer', async () => {
    for (const path of ['/api/v1', '/mcp']) {
      const resource = new URL(oauth.origin + path);
      const answer = await oauth4webapi.resourceDiscoveryRequest(resource, http);
      const found = await oauth4webapi.processResourceDiscoveryResponse(resource, answer);
      expect(found.authorization_servers).toEqual([server.issuer]);
    }
  });

  it('names a resource in each request, and gets tokens for it', async () => {
    const resource = `${oauth.origin}/api/v1`;
    const tokens = await connected(None(), { resource });
    expect(await looked(tokens.access_token)).toMatchObject({ active: true, aud: resource });
    expect((await opens(tokens.access_token)).status).toBe(200);
    const other = await connected(None(), { resource: `${oauth.origin}/mcp` });
    await expect(opens(other.access_token)).rejects.toThrow();
  });

  it('pushes a request, and goes on with the address that it gets', async () => {
    const { parameters, ...way } = await asked();
    const answer = await oauth4webapi.pushedAuthorizationRequest(server, client(), None(), parameters, http);
    const pushed = await oauth4webapi.processPushedAuthorizationResponse(server, client(), answer);
    const back = await allowed(addressFor({ client_id: app.id, request_uri: pushed.request_uri }));
    const tokens = await redeemed({ back, ...way });
    expect(await oauth4webapi.processAuthorizationCodeResponse(server, client(), tokens)).toMatchObject({
      scope: 'graph:read',
    });
  });

  it.each([
    ['client_secret_basic', ClientSecretBasic],
    ['client_secret_post', ClientSecretPost],
  ])('proves itself with the secret by %s, at every endpoint', async (method, by) => {
    for (const name of ['token', 'revocation', 'introspection'] as const)
      expect(server[`${name}_endpoint_auth_methods_supported`]).toContain(method);
    const first = await connected(by(app.secret));
    const second = await refreshed(first.refresh_token, by(app.secret));
    expect(await looked(second.access_token, by(app.secret))).toMatchObject({ active: true });
    const refusal = await refreshed(second.refresh_token, by('wrong')).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 401, cause: [{ scheme: 'basic' }] });
  });

  it('connects a device, which waits until its person allows it', async () => {
    const begun = await oauth4webapi.deviceAuthorizationRequest(
      server,
      client(),
      None(),
      { scope: 'graph:read' },
      http,
    );
    const device = await oauth4webapi.processDeviceAuthorizationResponse(server, client(), begun);
    const ask = async () => {
      const { device_code: code } = device;
      const answer = await oauth4webapi.deviceCodeGrantRequest(server, client(), None(), code, http);
      return oauth4webapi.processDeviceCodeResponse(server, client(), answer);
    };
    await expect(ask()).rejects.toMatchObject({ error: 'authorization_pending' });
    const { body } = await person.post('/oauth/device', { user_code: device.user_code });
    const allowance = {
      request: body.request as string,
      decision: 'allow',
      scopes: ['graph:read'],
      exposure_profile_id: await oauth.transparent(person),
    };
    expect((await person.post('/oauth/consent', allowance)).status).toBe(200);
    const { access_token } = await ask();
    expect((await opens(access_token)).status).toBe(200);
  });
});
