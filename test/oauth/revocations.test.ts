import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type Connected, OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

/** `npm run fault:oauth` ends 10,000. */
const ENDS = process.env.ROUNDS === undefined ? (onPostgres ? 60 : 18) : Number(process.env.ROUNDS) * 10;
/** A person's sessions and profiles grow with each round. */
const ENDS_OF_ONE_PERSON = 60;

interface Access {
  tokens: Connected;
  person: TestUser;
  authorization: string;
  profile: string;
}

describe(`ends of a token's access (rules 14.4, 14.5; ${ENDS} of them)`, () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let note: string;
  let appId: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    ({ id: appId } = await oauth.app());
  });
  afterAll(() => oauth.world.stop());

  /** Each way of ending an access, and the answer to the next request. */
  const WAYS: [string, (access: Access) => Promise<Answer>, number][] = [
    ['a revoked access token', ({ tokens }) => revoke(tokens.access_token), 401],
    ['a revoked refresh token', ({ tokens }) => revoke(tokens.refresh_token), 401],
    ['a disconnected device', ({ person, authorization }) => disconnect(person, authorization), 401],
    ['an ended authorization', ({ person, authorization }) => end(person, authorization), 401],
    [
      'narrower scopes',
      ({ person, authorization }) =>
        person.patch(`/authorizations/${authorization}`, { scopes: ['graph:create'] }),
      404,
    ],
    [
      'a profile without tags',
      ({ person, profile }) => person.put(`/exposure-profiles/${profile}`, { tag_permissions: {} }),
      404,
    ],
  ];
  const revoke = (token: string) => oauth.form('revoke', { client_id: appId, token });
  const end = (person: TestUser, id: string) => person.delete(`/authorizations/${id}`);
  const disconnect = async (person: TestUser, id: string) => {
    const { body } = await person.get(`/authorizations/${id}/sessions`);
    return person.delete(`/authorizations/${id}/sessions/${body.sessions[0].id}`);
  };

  const begun = async (): Promise<Access> => {
    const profile = await oauth.transparent(person);
    const tokens = await oauth.connect(appId, person, {
      parameters: { scope: 'graph:read graph:create' },
      terms: { exposure_profile_id: profile },
    });
    const { body } = await person.get('/authorizations?status=active');
    return { tokens, person, profile, authorization: body.authorizations[0].id };
  };
  /** Every process is asked: requests go to each of them in turn. */
  const read = async ({ tokens }: Access): Promise<number[]> => {
    const client = oauth.with(tokens.access_token);
    const answers = await Promise.all([client.get(`/nodes/${note}`), client.get(`/nodes/${note}`)]);
    return answers.map(({ status }) => status);
  };

  it(
    'an access that has ended is refused by the next request in every process',
    async () => {
      for (let round = 0; round < ENDS; round++) {
        if (round % ENDS_OF_ONE_PERSON === 0) {
          person = await oauth.world.user();
          note = (await person.post('/nodes', { title: 'a note', node_type: 'FACT' })).body.id;
        }
        const [what, ends, refusal] = WAYS[round % WAYS.length] as (typeof WAYS)[number];
        const access = await begun();
        expect([what, await read(access)]).toEqual([what, [200, 200]]);
        const ended = await ends(access);
        expect([what, ended.status < 300, ended.text]).toEqual([what, true, ended.text]);
        expect([what, await read(access)]).toEqual([what, [refusal, refusal]]);
      }
    },
    60_000 + ENDS * 500,
  );
});
