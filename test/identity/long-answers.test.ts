import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GraphSnapshotQueries } from '../../src/provenance/infrastructure/graph-snapshot.queries.js';
import { file } from '../support/worlds/files.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const FILE_BYTES = 9 * 1024 * 1024;

describe('revocation', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let user: TestUser;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    user = await world.user();
  });
  afterEach(() => letClockRun(world));

  const begin = async (path: string): Promise<IncomingMessage> => {
    const request = get(`${world.origin}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${user.token}` },
    });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  };

  /** The number of bytes that arrived, and true if the answer is complete. */
  const rest = async (answer: IncomingMessage): Promise<{ bytes: number; isComplete: boolean }> => {
    let bytes = 0;
    answer.on('data', (piece: Buffer) => (bytes += piece.length));
    answer.on('error', () => undefined);
    if (!answer.closed) await new Promise((resolve) => answer.once('close', resolve));
    return { bytes, isComplete: answer.complete };
  };

  const logOut = async (): Promise<void> => {
    const [{ id }] = (await user.get('/auth/sessions')).body.sessions;
    expect((await user.delete(`/auth/sessions/${id}`)).status).toBe(204);
    clock.advance(2);
  };

  it('an answer that takes long to send is aborted in the middle of an export when its log-in ends', async () => {
    await file(user, { content: randomBytes(FILE_BYTES) });
    await file(user, { content: randomBytes(FILE_BYTES) });
    const whole = await rest(await begin('/export'));
    expect(whole).toMatchObject({ isComplete: true });
    expect(whole.bytes).toBeGreaterThan(2 * FILE_BYTES);
    const answer = await begin('/export');
    expect(answer.statusCode).toBe(200);
    await logOut();
    const { bytes, isComplete } = await rest(answer);
    expect(isComplete).toBe(false);
    expect(bytes).toBeLessThan(whole.bytes);
  });

  it('an answer that takes long to send is aborted in the middle of a snapshot when its log-in ends', async () => {
    await user.post('/nodes', { node_type: 'note', title: 'Learn to sail' });
    const queries = world.nest.get(GraphSnapshotQueries, { strict: false });
    const edges = queries.edges.bind(queries);
    const path = `/graph/snapshot?timestamp=${clock.now.toISOString()}`;
    expect(await rest(await begin(path))).toMatchObject({ isComplete: true });
    queries.edges = async function* (...asked) {
      await logOut();
      yield* edges(...asked);
    };
    try {
      expect(await rest(await begin(path))).toMatchObject({ isComplete: false });
    } finally {
      queries.edges = edges;
    }
  });
});
