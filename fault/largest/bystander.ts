import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ok, Somebody } from '../../test/largest/somebody.js';
import { smallNode } from '../../test/largest/largest-things.js';

export interface Sample {
  what: 'health' | 'GET /nodes' | 'GET /nodes/:id' | 'POST /nodes/search';
  status: number;
  ms: number;
  /** The part of it in which the service's main thread was ready and had no processor. */
  unscheduled: number;
}
export interface Report {
  samples: Sample[];
  residentMib: number;
}

const NODES = 200;
const PAUSE_MS = 20;
const { origin, pid } = workerData as { origin: string; pid: number };
const agent = new Agent({ keepAlive: true });
const report: Report = { samples: [], residentMib: 0 };

/** A second person and a liveness probe, in a thread whose clock the storm does not delay. */
const person = await Somebody.register(origin);
const ids = await settle();
void repeat(() => measured('health', 'GET', '//health/live'));
void repeat(async () => {
  const credentials = await person.credentials();
  const id = ids[report.samples.length % ids.length] as string;
  await measured('GET /nodes', 'GET', '/nodes?limit=20', credentials);
  await measured('GET /nodes/:id', 'GET', `/nodes/${id}`, credentials);
  await measured('POST /nodes/search', 'POST', '/nodes/search', credentials, { query: 'w17 w24' });
});
void repeat(async () => {
  report.residentMib = Math.max(report.residentMib, residentMib());
});
// Observations since the previous report.
parentPort?.on('message', () => {
  parentPort?.postMessage({ ...report, samples: report.samples.splice(0) });
  report.residentMib = 0;
});
parentPort?.postMessage('ready');

async function settle(): Promise<string[]> {
  const nodes = (from: number): object[] =>
    Array.from({ length: 100 }, (_, i) => smallNode(from + i, ['shelf', `tag ${i % 9}`]));
  const client = await person.client();
  const made: string[] = [];
  for (let from = 0; from < NODES; from += 100) {
    const { body } = ok(await client.post('/nodes/batch', { nodes: nodes(from) }));
    made.push(...(body.created as { id: string }[]).map(({ id }) => id));
  }
  return made;
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await work();
    await sleep(PAUSE_MS);
  }
}

function residentMib(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Milliseconds for which the main thread of the service has waited for a processor since it began. */
function waitedMs(): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

function measured(
  what: Sample['what'],
  ...[method, path, headers = {}, body]: [string, string, Record<string, string>?, object?]
): Promise<void> {
  const url = path.startsWith('//') ? `${origin}${path.slice(1)}` : `${origin}/api/v1${path}`;
  const [begun, waited] = [performance.now(), waitedMs()];
  return new Promise((resolve) => {
    const end = (status: number): void => {
      report.samples.push({ what, status, ms: performance.now() - begun, unscheduled: waitedMs() - waited });
      resolve();
    };
    const sent = request(
      url,
      { method, agent, headers: { ...headers, 'Content-Type': 'application/json' } },
      (response) => {
        response.resume();
        response.on('end', () => end(response.statusCode as number));
        response.on('error', () => end(0));
      },
    );
    sent.on('error', () => end(0));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
