import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnownedApps } from '../../src/identity/index.js';
import { DocumentsClient } from '../../src/oauth/infrastructure/documents-client.js';
import { DocumentSite } from '../support/document-site.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { authorizeParameters, newVerifier, OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const OTHER_URI = 'https://reader.example/callback';
const READ = { scope: 'graph:read' };

describe('clients that a document describes (rule 14.3c)', () => {
  let oauth: OAuthWorld;
  let site: DocumentSite;
  let person: TestUser;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    site = await DocumentSite.start();
    person = await oauth.world.user();
    oauth.world.nest.get(DocumentsClient).timeoutMs = 500;
  });
  afterAll(async () => {
    site.stop();
    await oauth.world.stop();
  });

  const ask = (clientId: string, more: Record<string, string> = {}) => {
    const parameters = { ...authorizeParameters(clientId, newVerifier()), ...READ, ...more };
    return oauth.world.api.get(`//oauth/authorize?${new URLSearchParams(parameters).toString()}`);
  };
  const stored = (url: string) => oauth.world.nest.get(UnownedApps).findByDocument(url);
  const consentOf = async (clientId: string) => {
    const { request } = await oauth.request(clientId, READ);
    return (await person.get(`/oauth/consent?request=${request}`)).body;
  };

  it('a client is shown by the name in its document and the host that vouches for it, and gets tokens', async () => {
    const id = site.serve('/reader.json');
    const { client } = await consentOf(id);
    const { host } = new URL(id);
    expect(client).toMatchObject({ name: 'Reader', kind: 'document', host, verified: true });
    const tokens = await oauth.connect(id, person, { parameters: READ });
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(200);
    expect((await oauth.refresh(id, tokens.refresh_token)).status).toBe(200);
  });

  it('its page is shown only if it is of the same host, and unknown fields and pictures count for nothing', async () => {
    const more = { logo_uri: site.at('/logo.png'), scope: 'x', contacts: ['a@example.org'] };
    const own = site.serve('/own.json', { client_uri: site.at('/about'), ...more });
    const foreign = site.serve('/foreign.json', { client_uri: 'https://bank.example/', ...more });
    expect((await consentOf(own)).client.homepage_url).toBe(site.at('/about'));
    expect((await consentOf(foreign)).client.homepage_url).toBeNull();
    expect(site.visitsOf('/logo.png')).toBe(0);
  });

  it('a client that prefers assertions and can do without is a public one, as ChatGPT is', async () => {
    const methods = { token_endpoint_auth_method: 'private_key_jwt' };
    const both = { ...methods, token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] };
    expect((await ask(site.serve('/both.json', both))).status).toBe(302);
    expect((await ask(site.serve('/only.json', methods))).status).toBe(400);
  });

  const long = (bytes: number) => ({ padding: 'x'.repeat(bytes) });
  const raw = (status: number, type: string, body: string, more: Record<string, string> = {}) =>
    ((_, response) => {
      response.writeHead(status, { 'Content-Type': type, ...more }).end(body);
    }) as Parameters<DocumentSite['answer']>[1];
  const served = (fields: object) => (path: string) => site.serve(path, fields);
  const JSON_TYPE = 'application/json';
  const document = (path: string) => JSON.stringify(site.document(path));
  const REFUSED: [string, (path: string) => string][] = [
    ['with another client_id', served({ client_id: 'https://example.org/other' })],
    ['without a name', served({ client_name: undefined })],
    ['whose name hides characters', served({ client_name: 'Reader\u202Ereversed' })],
    ['with a line break in its name', served({ client_name: 'Reader\nVerified' })],
    ['whose name is too long', served({ client_name: 'x'.repeat(101) })],
    ['without redirect URIs', served({ redirect_uris: [] })],
    ['with a redirect URI that runs code', served({ redirect_uris: [REDIRECT_URI, 'javascript:alert(1)'] })],
    ['with a redirect URI over plain http', served({ redirect_uris: [REDIRECT_URI, 'http://a.example/'] })],
    ['with a redirect URI that is no text', served({ redirect_uris: [REDIRECT_URI, 5] })],
    [
      'with 21 redirect URIs',
      served({ redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) }),
    ],
    ['with a secret', served({ client_secret: 'x' })],
    ['that wants a secret', served({ token_endpoint_auth_method: 'client_secret_basic' })],
    ['of more than five kilobytes', served(long(5_000))],
    ['that is no JSON', (path) => site.answer(path, raw(200, JSON_TYPE, '{'))],
    ['that is a list', (path) => site.answer(path, raw(200, JSON_TYPE, '[]'))],
    ['sent as a page', (path) => site.answer(path, raw(200, 'text/html', document(path)))],
    ['sent with another status', (path) => site.answer(path, raw(203, JSON_TYPE, document(path)))],
    ['that nobody has', (path) => site.at(path)],
    [
      'behind a redirect',
      (path) => site.answer(path, raw(302, JSON_TYPE, document(path), { Location: site.at('/reader.json') })),
    ],
    [
      'that is compressed',
      (path) => site.answer(path, raw(200, JSON_TYPE, document(path), { 'Content-Encoding': 'gzip' })),
    ],
    [
      'without an end',
      (path) =>
        site.answer(path, (_, response) => {
          response.writeHead(200, { 'Content-Type': JSON_TYPE });
          const more = (): boolean => response.write(' '.repeat(1_024), () => !response.destroyed && more());
          more();
        }),
    ],
    [
      'that does not come to its end',
      (path) =>
        site.answer(path, (_, response) => {
          response.writeHead(200, { 'Content-Type': JSON_TYPE, 'Content-Length': '1000' }).write('{');
        }),
    ],
    ['that does not come', (path) => site.answer(path, () => undefined)],
    ['at a port where nobody is', () => 'http://127.0.0.1:9/client.json'],
  ];

  it('documents that are not valid, too large, too slow or elsewhere are refused alike', async () => {
    const answers = new Map<string, string[]>();
    for (const [index, [what, place]] of REFUSED.entries()) {
      const { status, text } = await ask(place(`/refused-${index}.json`));
      answers.set(`${status} ${text}`, [...(answers.get(`${status} ${text}`) ?? []), what]);
    }
    expect([...answers.keys()].map((answer) => answer.slice(0, 3))).toEqual(['400']);
    expect([...answers.values()]).toEqual([REFUSED.map(([what]) => what)]);
    expect(site.visitsOf('/reader.json')).toBeLessThan(2);
  });

  it('many requests at once read a document once', async () => {
    const id = site.serve('/crowd.json');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(site.visitsOf('/crowd.json')).toBe(1);
  });

  it('a document is used for as long as its headers say, within five minutes and a day', async () => {
    const short = site.serve('/short.json', {}, { 'Cache-Control': 'max-age=1' });
    const long = site.serve('/long.json', {}, { 'Cache-Control': 'public, max-age=99999999' });
    const hand = holdClock(oauth.world);
    const visits = async () => {
      await Promise.all([ask(short), ask(long)]);
      return [site.visitsOf('/short.json'), site.visitsOf('/long.json')];
    };
    const seen = [await visits()];
    for (const seconds of [299, 1, 86_100 - 1, 1]) {
      hand.advance(seconds);
      seen.push(await visits());
    }
    letClockRun(oauth.world);
    expect(seen).toEqual([
      [1, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [3, 2],
    ]);
  });

  it('a failure is remembered for half a minute', async () => {
    const id = site.at('/late.json');
    const hand = holdClock(oauth.world);
    expect((await ask(id)).status).toBe(400);
    site.serve('/late.json');
    hand.advance(29);
    expect([(await ask(id)).status, site.visitsOf('/late.json')]).toEqual([400, 1]);
    hand.advance(1);
    expect((await ask(id)).status).toBe(302);
    letClockRun(oauth.world);
  });

  it('a document that says the same again changes nothing', async () => {
    const id = site.serve('/same.json');
    const hand = holdClock(oauth.world);
    await ask(id);
    const before = await stored(id);
    hand.advance(301);
    await ask(id);
    letClockRun(oauth.world);
    expect(site.visitsOf('/same.json')).toBe(2);
    expect(await stored(id)).toEqual(before);
  });

  it('a document that changes while a person reads the consent page must be shown again', async () => {
    const id = site.serve('/changing.json', { redirect_uris: [REDIRECT_URI, OTHER_URI] });
    const { request } = await oauth.request(id, READ);
    const hand = holdClock(oauth.world);
    site.serve('/changing.json', { client_name: 'Bank' });
    hand.advance(301);
    await ask(id);
    letClockRun(oauth.world);
    const page = await person.get(`/oauth/consent?request=${request}`);
    const profile = await oauth.transparent(person);
    const body = { request, decision: 'allow', scopes: ['graph:read'], exposure_profile_id: profile };
    const allowed = await person.post('/oauth/consent', body);
    expect([page, allowed].map(({ status, body: { error } }) => [status, error.code])).toEqual([
      [409, 'REQUEST_CHANGED'],
      [409, 'REQUEST_CHANGED'],
    ]);
  });

  it('a document that changes after consent moves no answer: a code is worth what the person saw', async () => {
    const id = site.serve('/swapped.json');
    const { request, verifier } = await oauth.request(id, READ);
    const back = await oauth.allow(person, request);
    const hand = holdClock(oauth.world);
    site.serve('/swapped.json', { redirect_uris: [OTHER_URI] });
    hand.advance(301);
    expect((await ask(id)).status).toBe(400);
    expect((await ask(id, { redirect_uri: OTHER_URI })).status).toBe(302);
    letClockRun(oauth.world);
    const moved = await oauth.redeem(id, back, verifier, { redirect_uri: OTHER_URI });
    expect([moved.status, moved.body.error]).toEqual([400, 'invalid_grant']);
    expect((await oauth.redeem(id, back, verifier)).status).toBe(200);
  });

  it('the connections of a client last while its document cannot be read', async () => {
    const id = site.serve('/down.json');
    const tokens = await oauth.connect(id, person, { parameters: READ });
    site.answer('/down.json', raw(503, JSON_TYPE, ''));
    const hand = holdClock(oauth.world);
    hand.advance(301);
    expect((await ask(id)).status).toBe(400);
    expect((await oauth.refresh(id, tokens.refresh_token)).status).toBe(200);
    letClockRun(oauth.world);
  });

  it('pushed requests and devices begin with a document as well', async () => {
    const pushing = site.serve('/pushing.json');
    const pushed = await oauth.form('par', { ...authorizeParameters(pushing, newVerifier()), ...READ });
    expect(pushed.status).toBe(201);
    const device = { client_id: site.serve('/television.json'), ...READ };
    expect((await oauth.form('device_authorization', device)).status).toBe(200);
    const unknown = await oauth.form('device_authorization', { client_id: site.at('/nobody.json') });
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('settings of documents (rule 14.3c)', () => {
  let site: DocumentSite;
  beforeAll(async () => void (site = await DocumentSite.start()));
  afterAll(() => site.stop());

  it.each([
    ['off', 400, false],
    ['documents', 302, true],
    ['open', 302, true],
  ])('OAUTH_REGISTRATION=%s answers a client with a document by %d', async (registration, status, isSaid) => {
    const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', OAUTH_REGISTRATION: registration };
    const oauth = await OAuthWorld.start(settings);
    const id = site.serve(`/${registration}.json`);
    const parameters = new URLSearchParams({ ...authorizeParameters(id, newVerifier()), ...READ });
    const answer = await oauth.world.api.get(`//oauth/authorize?${parameters.toString()}`);
    const { body } = await oauth.world.api.get('//.well-known/oauth-authorization-server');
    await oauth.world.stop();
    expect([answer.status, body.client_id_metadata_document_supported]).toEqual([status, isSaid]);
    expect(site.visitsOf(`/${registration}.json`)).toBe(isSaid ? 1 : 0);
  });

  it('no document on this machine is read outside of development', async () => {
    const oauth = await OAuthWorld.start({ WEBHOOK_ALLOW_PRIVATE: 'false' });
    const parameters = authorizeParameters(site.serve('/inside.json'), newVerifier());
    const answer = await oauth.world.api.get(
      `//oauth/authorize?${new URLSearchParams(parameters).toString()}`,
    );
    await oauth.world.stop();
    expect([answer.status, site.visitsOf('/inside.json')]).toEqual([400, 0]);
  });
});
