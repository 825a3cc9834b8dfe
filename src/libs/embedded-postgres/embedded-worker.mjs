// @ts-check
import { readFileSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Engine } from './engine.mjs';
import { shareMemory } from './memory.mjs';

/**
 * The thread of the embedded database (see EngineThread, the other side): it serves one request after the other, and
 * answers each with one message.
 *
 * @typedef {{ directory: string, isOnlyMade?: boolean } | { template: string | null }} DataPlace a cluster's directory, or
 *   memory that begins as a copy of a template or empty
 * @typedef {Uint8Array | { command: 'beginSession' | 'endSession' | 'snapshot' | 'close' } | { readOnly: boolean }} Request
 *   the first: messages of the wire protocol
 * @typedef {{ memory: ArrayBufferLike, flags: number[] }} Ready see Engine.interrupts
 * @typedef {Uint8Array | { answer: Uint8Array | null, failure: Error } | null} Answer
 * @typedef {{ place: DataPlace, control: SharedArrayBuffer }} ThreadData
 */

const { place, control } = /** @type {ThreadData} */ (workerData);
/** The number of requests sent, and 1 while a transaction is open. */
const [REQUESTS, IN_TRANSACTION] = [0, 1];
const counters = new Int32Array(control, 0, 2);
/** Bytes of log written since the start. */
const log = new BigInt64Array(control, 8, 1);
/**
 * Time for which the thread polls for the next request before it sleeps: the statements of one request follow each
 * other faster than the system wakes a thread.
 */
const WATCHFUL_MS = 0.05;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

shareMemory();
const engine = await open();
// The recipient would keep a hundred megabytes until its next garbage collection, for an engine that is closed at once.
const isOnlyMade = 'isOnlyMade' in place && place.isOnlyMade;
port.postMessage(
  /** @type {Ready} */ (isOnlyMade ? { memory: new ArrayBuffer(0), flags: [] } : engine.interrupts),
);
let taken = 0;
for (;;) {
  awaitRequest();
  const request = /** @type {Request} */ (receiveMessageOnPort(port)?.message);
  if (!('length' in request) && 'command' in request && request.command === 'close') break;
  const answer = serve(request);
  // Lets a failure that PGlite reports by a promise arrive first.
  await null;
  send(answer);
}
await engine.close();
// A broken PostgreSQL may have left timers behind.
process.exit();

function open() {
  if ('template' in place)
    return Engine.inMemory(place.template === null ? null : readFileSync(place.template));
  return Engine.onDisk(place.directory, (bytes) => void Atomics.add(log, 0, BigInt(bytes)));
}

/** The thread sleeps without an event loop: it waits only for requests. */
function awaitRequest() {
  const until = performance.now() + WATCHFUL_MS;
  while (Atomics.load(counters, REQUESTS) === taken) {
    if (performance.now() > until) Atomics.wait(counters, REQUESTS, taken);
  }
  taken++;
}

/** @param {Exclude<Request, { command: 'close' }>} request */
function serve(request) {
  if (request instanceof Uint8Array) return engine.execute(request);
  if ('readOnly' in request) engine.setReadOnly(request.readOnly);
  else if (request.command === 'snapshot') return engine.snapshot();
  else if (request.command === 'beginSession') engine.beginSession();
  else engine.endSession();
  return null;
}

/** @param {Uint8Array | null} answer */
function send(answer) {
  Atomics.store(counters, IN_TRANSACTION, engine.inTransaction ? 1 : 0);
  if (engine.failure !== null) {
    const failure = new Error(String(engine.failure), { cause: engine.failure });
    port.postMessage({ answer, failure });
  } else port.postMessage(answer, answer === null ? [] : [/** @type {ArrayBuffer} */ (answer.buffer)]);
}
