import { describe, expect, it } from '@jest/globals';
import { Admission } from '../../src/kernel/http/admission.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { group, joins } from '../support/worlds/people.js';
import { MULTIPART, multipartOf } from '../support/worlds/files.js';
import { type Client } from '../support/client.js';
import { type LateAnswer, type LateRequest, sendLate } from '../support/late-bodies.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const NODE = { method: 'POST', path: '/nodes', body: { title: 'written late', node_type: 'note' } };
const SEARCH = { method: 'POST', path: '/nodes/search', body: { query: 'zebra' } };
const UPLOAD = {
  method: 'POST',
  path: '/nodes/upload',
  body: multipartOf([{ name: 'file', filename: 'a', content: 'late bytes' }]),
  headers: MULTIPART,
};

/** Rights are checked again when the body has arrived (rule 2.8). */
describe('late bodies', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  const send = (client: Client, request: LateRequest, meanwhile: () => Promise<unknown>) =>
    sendLate(world, client, request, meanwhile);
  const codeOf = ({ status, text }: LateAnswer): [number, string | undefined] => [
    status,
    status < 400 ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code,
  ];
  const nodesOf = async (user: TestUser): Promise<number> => (await user.get('/nodes')).body.total;
  const logOut = async (): Promise<void> => {
    for (const { id } of (await alice.get('/auth/sessions')).body.sessions)
      await world.api.with(alice.credentials).delete(`/auth/sessions/${id}`);
  };
  const logIn = async (): Promise<Client> => {
    const account = { email: `${alice.name}@example.org`, password: PASSWORD };
    const { body } = await world.api.post('/auth/login', account);
    return world.api.with({ Authorization: `Bearer ${body.access_token}` });
  };

  it('a body that comes after the guards is accepted when nothing has changed', async () => {
    const app = await alice.lets(await world.app());
    for (const client of [alice, app])
      for (const request of [NODE, UPLOAD])
        expect(codeOf(await send(client, request, () => Promise.resolve()))).toEqual([201, undefined]);
    expect(await nodesOf(alice)).toBe(4);
  });

  it.each([NODE, UPLOAD])(
    'a body of an app that comes after the revocation of its authorization is refused: $path',
    async (late) => {
      const app = await world.app();
      const { authorization } = await alice.authorizes(app);
      const answer = await send(app.as(alice), late, () =>
        alice.delete(`/authorizations/${authorization.id}`),
      );
      expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
      expect(await nodesOf(alice)).toBe(0);
    },
  );

  it('a search whose body comes late finds nothing that was written after the authorization was revoked', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const answer = await send(app.as(alice), SEARCH, async () => {
      await alice.delete(`/authorizations/${authorization.id}`);
      await alice.post('/nodes', { title: 'zebra', node_type: 'note' });
    });
    expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('a search whose body comes late finds nothing that the narrowed profile hides', async () => {
    const app = await world.app();
    const { profile } = await alice.authorizes(app);
    const answer = await send(app.as(alice), SEARCH, async () => {
      const narrowed = await alice.put(`/exposure-profiles/${profile.id}`, {
        excluded_node_types: ['DIARY'],
      });
      expect(narrowed.status).toBe(200);
      await alice.post('/nodes', { title: 'zebra', node_type: 'DIARY' });
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).not.toContain('"title":"zebra"');
  });

  it('a body of an app that comes after its authorization has expired is refused', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const clock = holdClock(world);
    try {
      const expires_at = new Date(clock.now.getTime() + 60_000).toISOString();
      await alice.patch(`/authorizations/${authorization.id}`, { expires_at });
      const answer = await send(app.as(alice), NODE, async () => Promise.resolve(clock.advance(61)));
      expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
    } finally {
      letClockRun(world);
    }
  });

  it('a body of an app that comes after its key is deleted is refused', async () => {
    const developer = await world.user();
    const made = await developer.post('/apps', {
      name: `app ${world.number()}`,
      requested_permissions: { tags: { read: true } },
    });
    const key = await developer.post(`/apps/${made.body.id}/keys`, {});
    const app = { id: made.body.id, apiKey: '', alone: world.api, as: () => world.api };
    await alice.authorizes(app);
    const client = world.api.with({ 'X-API-Key': key.body.api_key, 'X-User-ID': alice.id });
    const answer = await send(client, SEARCH, () =>
      developer.delete(`/apps/${made.body.id}/keys/${key.body.id}`),
    );
    expect(codeOf(answer)).toEqual([401, 'UNAUTHORIZED']);
  });

  it.each([NODE, UPLOAD])(
    'a body of a person that comes after their log-out is refused: $path',
    async (late) => {
      expect(codeOf(await send(alice, late, logOut))).toEqual([401, 'UNAUTHORIZED']);
      expect(await nodesOf((await logIn()) as TestUser)).toBe(0);
    },
  );

  it('a body of a person that comes after their token has expired is refused', async () => {
    const clock = holdClock(world);
    try {
      const answer = await send(alice, NODE, () => Promise.resolve(clock.advance(3600)));
      expect(codeOf(answer)).toEqual([401, 'UNAUTHORIZED']);
    } finally {
      letClockRun(world);
    }
  });

  it('a late body of a thief does not authorize an app after the password is changed', async () => {
    const app = await world.app();
    const thief = await logIn();
    const template = { template: 'transparent', name: 'for the thief' };
    const exposure_profile_id = await idOf(alice, '/exposure-profiles/from-template', template);
    const body = { app_id: app.id, exposure_profile_id };
    const answer = await send(thief, { method: 'POST', path: '/authorizations', body }, async () => {
      const change = { current_password: PASSWORD, new_password: 'another horse battery' };
      expect((await alice.post('/auth/password', change)).status).toBeLessThan(300);
    });
    expect(codeOf(answer)).toEqual([401, 'UNAUTHORIZED']);
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
  });

  it('a late archive is not imported after a log-out', async () => {
    const { bytes } = await (await world.user()).get('/export');
    const late = {
      method: 'POST',
      path: '/import',
      body: bytes,
      headers: { 'Content-Type': 'application/zip' },
    };
    expect(codeOf(await send(alice, late, logOut))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a late body of a share recipient does not change a node after the share has ended', async () => {
    const recipient = await world.user();
    const node = await idOf(alice, '/nodes', { title: 'shared', node_type: 'note' });
    const share = await idOf(alice, '/sharing', {
      shared_with_user_id: recipient.id,
      scope: 'specific_nodes',
      node_ids: [node],
      can_write: true,
    });
    const late = { method: 'PUT', path: `/nodes/${node}`, body: { title: 'overwritten' } };
    const answer = await send(recipient, late, () => alice.delete(`/sharing/${share}`));
    expect(codeOf(answer)).toEqual([404, 'NODE_NOT_FOUND']);
    expect((await alice.get(`/nodes/${node}`)).body.title).toBe('shared');
  });

  it('a late body of a removed member does not write to the graph of the group', async () => {
    const admin = await world.user();
    const groupId = await group(admin);
    const member = await world.user();
    await joins(member, admin, groupId, 'admin');
    const late = { method: 'POST', path: `/groups/${groupId}/nodes`, body: NODE.body };
    const answer = await send(member, late, async () => {
      expect((await admin.delete(`/groups/${groupId}/members/${member.id}`)).status).toBeLessThan(300);
    });
    expect(codeOf(answer)).toEqual([403, 'NOT_A_MEMBER']);
  });

  it('requests are admitted once when the body comes within a second, and twice when it comes later', async () => {
    const admission = world.nest.get(Admission);
    const again = admission.again.bind(admission);
    let times = 0;
    admission.again = (context) => {
      times++;
      return again(context);
    };
    try {
      expect((await alice.post('/nodes', NODE.body)).status).toBe(201);
      expect((await alice.post('/nodes/search', SEARCH.body)).status).toBe(200);
      expect((await sendLate(world, alice, NODE, () => Promise.resolve(), 0)).status).toBe(201);
      expect(times).toBe(0);
      expect((await send(alice, NODE, () => Promise.resolve())).status).toBe(201);
      expect(times).toBe(1);
    } finally {
      admission.again = again;
    }
  });
});
