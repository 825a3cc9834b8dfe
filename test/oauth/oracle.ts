import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import * as library from 'oidc-provider';
import { exchangeBytes, type Answer } from '../support/client.js';
import { challengeOf, newVerifier, type OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

/** The redirect URIs of both clients: of a program, of a site, and of an app with its own scheme. */
export const REDIRECT_URIS = [REDIRECT_URI, 'https://client.example/callback', 'com.example.app:/callback'];

/** A code for the client, and the text that proves it; or the tokens of a connection. */
export interface Issued {
  code: string;
  verifier: string;
}

/** An authorization server with two clients of one person, as the comparison needs it. */
export interface Side {
  name: string;
  origin: string;
  authorizePath: string;
  clientId: string;
  otherId: string;
  resource: string;
  send: (method: string, path: string, form?: string) => Promise<Answer>;
  code: () => Promise<Issued>;
  stop: () => Promise<void>;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Our service. */
export async function ours(oauth: OAuthWorld, person: TestUser): Promise<Side> {
  const [app, other] = [
    await oauth.app({ redirect_uris: REDIRECT_URIS }),
    await oauth.app({ redirect_uris: REDIRECT_URIS }),
  ];
  const profile = await oauth.transparent(person);
  return {
    name: 'ours',
    origin: oauth.origin,
    authorizePath: '/oauth/authorize',
    clientId: app.id,
    otherId: other.id,
    resource: `${oauth.origin}/mcp`,
    send: (method, path, form) =>
      oauth.world.api.send(method, `/${path}`, form, form === undefined ? {} : { headers: FORM }),
    code: async () => {
      const asked = { scope: 'graph:read', resource: `${oauth.origin}/mcp` };
      const { request, verifier } = await oauth.request(app.id, asked);
      const back = await oauth.allow(person, request, { exposure_profile_id: profile });
      return { code: back.searchParams.get('code') as string, verifier };
    },
    stop: () => oauth.world.stop(),
  };
}

// oidc-provider is written for Node 22, which has this function.
(URL as { parse?: (text: string) => URL | null }).parse ??= (text) =>
  URL.canParse(text) ? new URL(text) : null;

/** oidc-provider with the policy of our service (connect.md, B.3), in this process. */
export async function theirs(): Promise<Side> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${origin}/mcp`;
  const provider = new library.Provider(origin, configuration(resource));
  server.on('request', provider.callback());
  return {
    name: 'oidc-provider',
    origin,
    authorizePath: '/oauth/authorize',
    clientId: 'one',
    otherId: 'other',
    resource,
    send: (method, path, form) =>
      exchangeBytes(method, origin + path, form === undefined ? {} : lengthOf(form), form),
    code: async () => {
      const owner = { accountId: 'person', clientId: 'one' };
      const grant = new provider.Grant(owner);
      grant.addResourceScope(resource, 'graph:read');
      const verifier = newVerifier();
      const code = new provider.AuthorizationCode({
        ...owner,
        grantId: await grant.save(),
        redirectUri: REDIRECT_URI,
        codeChallenge: challengeOf(verifier),
        codeChallengeMethod: 'S256',
        scope: 'graph:read',
        resource,
      });
      return { code: await code.save(), verifier };
    },
    stop: () => closed(server),
  };
}

const lengthOf = (form: string) => ({ ...FORM, 'Content-Length': String(Buffer.byteLength(form)) });

const closed = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};

function configuration(resource: string): object {
  const client = (id: string) => ({
    client_id: id,
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: REDIRECT_URIS,
  });
  const scope = 'graph:discover graph:read graph:propose graph:create graph:edit graph:delete files:read';
  return {
    clients: [client('one'), client('other')],
    responseTypes: ['code'],
    scopes: scope.split(' '),
    pkce: { required: () => true },
    cookies: { keys: ['of this test'] },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    interactions: { url: () => '/console/consent' },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      pushed_authorization_request: '/oauth/par',
      introspection: '/oauth/introspect',
      revocation: '/oauth/revoke',
    },
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, asked: string) => {
          if (asked !== resource) throw new library.errors.InvalidTarget();
          return { scope, accessTokenFormat: 'opaque', audience: resource };
        },
      },
    },
  };
}
