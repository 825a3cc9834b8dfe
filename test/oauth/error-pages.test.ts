import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../src/kernel/errors/domain-error.js';
import { AuthorizationRequests } from '../../src/oauth/application/authorization-requests.service.js';
import { type Answer } from '../support/client.js';
import { authorizeParameters, newVerifier, OAuthWorld } from '../support/oauth.js';

const EVIL = 'evil.example';

/** A person opens this address in a browser: they never see JSON, and nothing of the request comes back. */
describe('pages for errors of the authorize endpoint (rule 14.1c)', () => {
  let oauth: OAuthWorld;
  let good: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere({ RATE_LIMITS: 'on' });
    const { id } = await oauth.app();
    good = new URLSearchParams(authorizeParameters(id, newVerifier())).toString();
  });
  afterAll(() => oauth.world.stop());

  const open = (query: string) => oauth.world.api.get(`//oauth/authorize?${query}`);
  const expectPage = (answer: Answer, status: number, text: string) => {
    expect([answer.status, answer.headers.location]).toEqual([status, undefined]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(answer.text).toContain('<h1>This app cannot be connected</h1>');
    expect(answer.text).toContain(text);
    expect(answer.text).not.toContain(EVIL);
  };

  it('the page loads the style of the console, and has none and no script in itself', async () => {
    const { text } = await open(`${good}&state=${EVIL}`);
    expect(text).not.toMatch(/<style|<script|style=/);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
    const { pathname } = new URL(href, `${oauth.origin}/oauth/authorize`);
    const style = await oauth.world.api.get(`/${pathname}`);
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  it('a request that works goes on without a body', async () => {
    const answer = await open(good);
    expect([answer.status, answer.text]).toEqual([302, '']);
  });

  it('a parameter that is sent twice, and a wrong method, are answered by a page', async () => {
    expectPage(await open(`${good}&state=${EVIL}`), 400, 'cannot be understood');
    const posted = await oauth.world.api.post('//oauth/authorize', { state: EVIL });
    expectPage(posted, 405, 'cannot be understood');
    expect(posted.headers.allow).toBe('GET, HEAD');
  });

  it.each([
    [503, new DomainError('TOO_MUCH_UNDER_WAY', EVIL), 'is busy'],
    [500, new Error(EVIL), 'on our side'],
  ])('a failure with status %d is answered by a page', async (status, error, text) => {
    const requests: Partial<AuthorizationRequests> = oauth.world.nest.get(AuthorizationRequests);
    requests.locationOf = () => Promise.reject(error);
    const answer = await open(good);
    delete requests.locationOf;
    expectPage(answer, status, text);
    expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
  });

  it('one network with too many requests sees a page that says when to try again', async () => {
    let answer = await open(good);
    for (let number = 0; number < 200 && answer.status !== 429; number++) answer = await open(good);
    expectPage(answer, 429, 'too many requests');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
