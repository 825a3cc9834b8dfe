import { createHash, randomBytes } from 'node:crypto';
import { type TestUser, World } from './world.js';
import { type Answer } from './client.js';
import { freePort } from './ports.js';

export const REDIRECT_URI = 'http://127.0.0.1:51234/callback';

/** Ways of a client and of a person through the authorization server, over HTTP. */
export class OAuthWorld {
  private constructor(
    readonly world: World,
    /** The service's address, PUBLIC_URL. */
    readonly origin: string,
  ) {}

  /** A service that knows its own address, as OAuth demands. */
  static async start(environment: Record<string, string> = {}): Promise<OAuthWorld> {
    const publicUrl = `http://127.0.0.1:${await freePort()}`;
    return new OAuthWorld(await World.start({ PUBLIC_URL: publicUrl, ...environment }), publicUrl);
  }

  /** The same in this process, for tests that use its objects. */
  static async startHere(environment: Record<string, string> = {}): Promise<OAuthWorld> {
    const publicUrl = `http://127.0.0.1:${await freePort()}`;
    return new OAuthWorld(await World.startHere({ PUBLIC_URL: publicUrl, ...environment }), publicUrl);
  }

  /** A registered app with a redirect URI, by default one that requests everything. */
  async app(
    fields: Record<string, unknown> = {},
  ): Promise<{ id: string; secret: string; developer: TestUser }> {
    const developer = await this.world.user();
    const made = await developer.post('/apps', {
      name: 'Reading list',
      client_level: 'L2',
      redirect_uris: [REDIRECT_URI],
      requested_permissions: EVERYTHING,
      ...fields,
    });
    if (made.status !== 201) throw new Error(`app: ${made.status} ${made.text}`);
    return { id: made.body.id, secret: made.body.api_key, developer };
  }

  /** Opens the authorize URL as a browser does. @returns the address that it leads to */
  async authorize(parameters: Record<string, string>): Promise<URL> {
    const answer = await this.world.api.get(
      `//oauth/authorize?${new URLSearchParams(parameters).toString()}`,
    );
    if (answer.status !== 302) throw new Error(`authorize: ${answer.status} ${answer.text}`);
    return new URL(answer.headers.location as string);
  }

  /** The sealed request of a consent page. */
  async request(appId: string, more: Record<string, string> = {}, verifier = newVerifier()): Promise<Asked> {
    const page = await this.authorize({ ...authorizeParameters(appId, verifier), ...more });
    const request = page.searchParams.get('request');
    if (request === null) throw new Error(`no consent: ${page.href}`);
    return { request, verifier };
  }

  /** Lets a person allow a request. @returns the address that the browser goes to */
  async allow(person: TestUser, request: string, more: Record<string, unknown> = {}): Promise<URL> {
    const asked = await person.get(`/oauth/consent?request=${request}`);
    const scopes = (asked.body.scopes as { scope: string }[]).map(({ scope }) => scope);
    const profile = await this.transparent(person);
    const body = { request, decision: 'allow', scopes, exposure_profile_id: profile, ...more };
    const answer = await person.post('/oauth/consent', body);
    if (answer.status !== 200) throw new Error(`allow: ${answer.status} ${answer.text}`);
    return new URL(answer.body.redirect_to as string);
  }

  /** A profile that shows everything. */
  async transparent(person: TestUser): Promise<string> {
    const name = `everything ${this.world.number()}`;
    const made = await person.post('/exposure-profiles/from-template', { template: 'transparent', name });
    return made.body.id as string;
  }

  /** A form to one of the endpoints of OAuth. */
  form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.world.api.post(`//oauth/${path}`, new URLSearchParams(fields).toString(), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  /** The whole way: the tokens of an app for a person. */
  async connect(appId: string, person: TestUser, more: Way = {}): Promise<Connected> {
    const { request, verifier } = await this.request(appId, more.parameters);
    const back = await this.allow(person, request, more.terms);
    const answer = await this.redeem(appId, back, verifier);
    if (answer.status !== 200) throw new Error(`token: ${answer.status} ${answer.text}`);
    return answer.body as Connected;
  }

  redeem(appId: string, back: URL, verifier: string, more: Record<string, string> = {}): Promise<Answer> {
    return this.form('token', {
      grant_type: 'authorization_code',
      client_id: appId,
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...more,
    });
  }

  refresh(appId: string, refreshToken: string, more: Record<string, string> = {}): Promise<Answer> {
    const fields = { grant_type: 'refresh_token', client_id: appId, refresh_token: refreshToken };
    return this.form('token', { ...fields, ...more });
  }

  /** A client of the API with a token. */
  with(token: string) {
    return this.world.api.with({ Authorization: `Bearer ${token}` });
  }
}

export interface Asked {
  request: string;
  verifier: string;
}

export interface Way {
  parameters?: Record<string, string>;
  terms?: Record<string, unknown>;
}

export interface Connected {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

const EVERYTHING = {
  tags: { discover: true, read: true, propose: true, create: true, edit: true, delete: true },
  files: { read: true },
  schemas: { read: { allow_all: true }, write: { allow_all: true } },
};

export const newVerifier = (): string => randomBytes(32).toString('base64url');

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** The parameters of a request that a client sends with a person's browser. */
export const authorizeParameters = (clientId: string, verifier: string): Record<string, string> => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: REDIRECT_URI,
  state: 'a state',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
});
