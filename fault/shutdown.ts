import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '../test/support/client.js';
import { freePort } from '../test/support/ports.js';
import { type Server } from '../test/support/server.js';
import { nodesOf, Person } from './support/people.js';
import { quantile, Rig, run } from './support/rig.js';
import { Stack } from './support/stack.js';

/**
 * `npm run fault:shutdown`: requests at a fixed rate to two processes, one of which is stopped, again and
 * again. A request that a process has accepted gets its answer; a refused one goes to the other process, as
 * with a proxy. The planted fault is SIGKILL instead of SIGTERM.
 */
const rig = new Rig('shutdown', { rate: 200, stops: 10 });
const BACK_MS = 5_000;
const PATIENCE_MS = 30_000;
/** The most requests at once: the test is not about a machine that is too slow for the rate. */
const MAX_UNDER_WAY = 64;
const stack = new Stack();

/** refused: no process listens there; reset: the connection, made just now, was broken before any answer. */
type Outcome = { status: number } | 'refused' | 'reset' | { error: string };

function post(client: Client, origin: string, title: string): Promise<Outcome> {
  const headers = { 'Content-Type': 'application/json', ...client.credentials };
  return new Promise((done) => {
    const sent = request(`${origin}/api/v1/nodes`, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => done({ status: answer.statusCode as number }));
      answer.on('error', (error) => done({ error: `broken answer: ${error.message}` }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') done('refused');
      else done(error.code === 'ECONNRESET' ? 'reset' : { error: error.message });
    });
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
    sent.end(JSON.stringify({ title, node_type: 'NOTE' }));
  });
}

await run(rig, stack, async () => {
  await stack.startPostgres();
  await stack.startRedis();
  const ports = [await freePort(), await freePort()] as const;
  const serve = (which: 0 | 1): Promise<Server> => stack.serve({ PORT: String(ports[which]) });
  const servers: [Server, Server] = [await serve(0), await serve(1)];
  const person = await Person.register(servers[0].origin);
  const acknowledged: string[] = [];
  const failed: string[] = [];
  const delays: number[] = [];
  let moved = 0;
  /** The time at which each process was last stopped; its connections from before must not break. */
  const told: [number, number] = [Infinity, Infinity];

  const send = async (number: number): Promise<void> => {
    const title = `request ${number}`;
    const begun = performance.now();
    for (let turn = number; turn < number + 4; turn++) {
      const which = (turn % 2) as 0 | 1;
      const sentAt = performance.now();
      const outcome = await post(person.at(servers[which].origin), `http://127.0.0.1:${ports[which]}`, title);
      // A connection that is made while the process stops listening may be reset instead of refused: it was
      // not accepted.
      const isLate = outcome === 'reset' && sentAt >= told[which];
      if (outcome === 'refused' || isLate) {
        moved += 1;
        continue;
      }
      delays.push(performance.now() - begun);
      if (typeof outcome === 'object' && 'status' in outcome && outcome.status === 201)
        acknowledged.push(title);
      else failed.push(`${title}: ${JSON.stringify(outcome)}`);
      return;
    }
    failed.push(`${title}: nobody there`);
  };

  let isOver = false;
  const sending: Promise<void>[] = [];
  let underWay = 0;
  const pace = (async () => {
    const begun = performance.now();
    for (let number = 0; !isOver; number++) {
      underWay += 1;
      sending.push(send(number).finally(() => (underWay -= 1)));
      while (underWay >= MAX_UNDER_WAY) await sleep(2);
      const due = begun + ((number + 1) * 1_000) / rig.option('rate');
      await sleep(Math.max(0, due - performance.now()));
    }
    return sending.length / ((performance.now() - begun) / 1_000);
  })();
  const back: number[] = [];
  const codes: string[] = [];
  for (let stop = 0; stop < rig.option('stops'); stop++) {
    await sleep(500 + 500 * rig.random());
    const which = (stop % 2) as 0 | 1;
    told[which] = performance.now();
    const ending = await servers[which].kill(rig.isPlanted ? 'SIGKILL' : 'SIGTERM');
    if (ending.code !== 0) codes.push(String(ending.code ?? ending.signal));
    servers[which] = await serve(which);
    back.push(performance.now() - told[which]);
    told[which] = Infinity;
  }
  isOver = true;
  const rate = await pace;
  await Promise.all(sending);
  const found = new Set((await nodesOf(person.at(servers[0].origin))).values());
  rig.say(
    `${rig.option('stops')} times SIGTERM at ${rate.toFixed(0)} requests a second: ${acknowledged.length} of ` +
      `${sending.length} answered 201, ${moved} went to the other process, p99 ${quantile(delays, 0.99).toFixed(0)} ms; ` +
      `serving again ${quantile(back, 0.5).toFixed(0)} ms (median) and ${Math.max(...back).toFixed(0)} ms (slowest) after the signal`,
  );
  rig.expectNone('requests that failed', failed);
  rig.expectNone(
    'acknowledged writes lost',
    acknowledged.filter((title) => !found.has(title)),
  );
  if (!rig.isPlanted) rig.expectNone('exit codes other than 0', codes);
  rig.expectNone(
    `returns later than ${BACK_MS} ms`,
    back.filter((ms) => ms > BACK_MS),
  );
});
