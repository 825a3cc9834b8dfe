import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { idOf } from '../../support/plausible.js';
import { holdClock, letClockRun } from '../../support/moved-clock.js';
import { type TestUser, type World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';
import { file } from '../../support/worlds/files.js';

const FILE_BYTES = 9 * 1024 * 1024;

/** A download that has begun is asked about each second (rule 2.8). */
describe('revocation', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let alice: TestUser;
  let node: string;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    alice = await world.user();
    node = (await file(alice, { content: randomBytes(FILE_BYTES) })).id as string;
  });
  afterEach(() => letClockRun(world));

  /** Begins to read an answer, which then waits for its reader. */
  const begin = async (url: string, headers: Record<string, string>): Promise<IncomingMessage> => {
    const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    return answer;
  };

  const rest = async (answer: IncomingMessage): Promise<{ bytes: number; isComplete: boolean }> => {
    let bytes = 0;
    answer.on('data', (piece: Buffer) => (bytes += piece.length)).on('error', () => undefined);
    if (!answer.closed) await new Promise((resolve) => answer.once('close', resolve));
    return { bytes, isComplete: answer.complete };
  };

  const isCutBy = async (
    headers: Record<string, string>,
    change: () => Promise<{ status: number }>,
    url = `${world.origin}/api/v1/raw-files/${node}/download`,
  ): Promise<void> => {
    const answer = await begin(url, headers);
    expect((await change()).status).toBeLessThan(300);
    clock.advance(2);
    const { bytes, isComplete } = await rest(answer);
    expect(isComplete).toBe(false);
    expect(bytes).toBeLessThan(FILE_BYTES);
  };

  it('a download under way arrives whole when nothing has changed, also after its token and its link have expired', async () => {
    const link = (await alice.get(`/nodes/${node}/download`)).body.download_url as string;
    for (const url of [`${world.origin}/api/v1/raw-files/${node}/download`, link]) {
      const answer = await begin(url, url === link ? {} : alice.credentials);
      clock.advance(3600);
      expect(await rest(answer)).toEqual({ bytes: FILE_BYTES, isComplete: true });
      clock.advance(-3600);
    }
  });

  it('a download of an app arrives whole when nothing has changed', async () => {
    const app = await alice.lets(await world.app());
    const answer = await begin(`${world.origin}/api/v1/raw-files/${node}/download`, app.credentials);
    clock.advance(2);
    expect(await rest(answer)).toEqual({ bytes: FILE_BYTES, isComplete: true });
  });

  it('a download of an app ends with its authorization, also when the app is approved again', async () => {
    const app = await world.app();
    const { authorization, profile } = await alice.authorizes(app);
    await isCutBy(app.as(alice).credentials, async () => {
      await alice.delete(`/authorizations/${authorization.id}`);
      return alice.post('/authorizations', { app_id: app.id, exposure_profile_id: profile.id });
    });
  });

  it('a download of an app ends when its profile hides the file', async () => {
    const app = await world.app();
    const { profile } = await alice.authorizes(app);
    await isCutBy(app.as(alice).credentials, () =>
      alice.put(`/exposure-profiles/${profile.id}`, { max_detail_level: 'summary' }),
    );
  });

  it('a download by a link ends with the authorization of its app', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const { body } = await app.as(alice).get(`/nodes/${node}/download`);
    const url = body.download_url as string;
    await isCutBy({}, () => alice.delete(`/authorizations/${authorization.id}`), url);
  });

  it('a download of a person ends with their log-in', () =>
    isCutBy(alice.credentials, async () => {
      const [{ id }] = (await alice.get('/auth/sessions')).body.sessions;
      return alice.delete(`/auth/sessions/${id}`);
    }));

  it('a download of a share recipient arrives whole, and ends with the share', async () => {
    const recipient = await world.user();
    const share = await idOf(alice, '/sharing', {
      shared_with_user_id: recipient.id,
      scope: 'specific_nodes',
      node_ids: [node],
    });
    const answer = await begin(`${world.origin}/api/v1/raw-files/${node}/download`, recipient.credentials);
    clock.advance(2);
    expect(await rest(answer)).toEqual({ bytes: FILE_BYTES, isComplete: true });
    await isCutBy(recipient.credentials, () => alice.delete(`/sharing/${share}`));
  });

  it('a download under way ends when the node is deleted', () =>
    isCutBy(alice.credentials, () => alice.delete(`/nodes/${node}`)));
});
