// @ts-check
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import {
  dialectOf,
  Document,
  InvalidSchema,
  isObject,
  metaSchemaOf,
  standard,
} from './json-schema-document.mjs';
import { Evaluation, OverBudget } from './json-schema-evaluation.mjs';

/** The side of {@link JsonSchemaWorkers} on which schemas and values of strangers are looked at. */

/** @typedef {import('./json-schema-evaluation.mjs').Misfit} Misfit */
/**
 * Is the schema one, and is that which it was made of? And what in each of the values does not fit it?
 * @typedef {{ schema: string, part: string | null, values: string[], milliseconds: number }} Task
 * @typedef {{ misfits: Misfit[][] } | { invalid: string } | { overBudget: string }} Outcome
 */

/** Of one value: whoever mends these asks again. */
const MAX_MISFITS = 50;
const NICENESS = 5;
const KEPT = { documents: 64, characters: 1024 * 1024 };

/** The documents used last, by their text. @type {Map<string, Document>} */
const documents = new Map();
let characters = 0;

/** @param {string} text @param {number} until @returns {Document} */
function documentOf(text, until) {
  const kept = documents.get(text);
  const document = kept ?? read(text, until);
  documents.delete(text);
  documents.set(text, document);
  if (kept === undefined) characters += text.length;
  for (const [oldest] of documents) {
    if (documents.size <= KEPT.documents && characters <= KEPT.characters) break;
    documents.delete(oldest);
    characters -= oldest.length;
  }
  return document;
}

/** @param {string} text @param {number} until @returns {Document} */
function read(text, until) {
  const schema = JSON.parse(text);
  const dialect = dialectOf(isObject(schema) ? schema['$schema'] : undefined);
  const evaluation = new Evaluation(standard, { until, maxMisfits: 1 });
  if (!evaluation.fits(schema, metaSchemaOf(dialect))) {
    const [{ pointer, message } = { pointer: '', message: 'is no JSON Schema' }] = evaluation.misfits;
    throw new InvalidSchema(`${pointer === '' ? 'The schema' : pointer} ${message}`);
  }
  return new Document(schema, standard, () => {
    if (performance.now() > until) throw new OverBudget('the schema takes too long to look at');
  });
}

/**
 * Requests come first where there are fewer processors than threads. Not much: budgets count what the clock says. On
 * Linux a thread has a priority of its own; elsewhere this would be the whole service's.
 */
function giveWay() {
  if (platform() !== 'linux') return;
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may forbid it: then they share alike.
  }
}

/** @param {Task} task @returns {Outcome} */
function carryOut({ schema, part, values, milliseconds }) {
  const until = performance.now() + milliseconds;
  try {
    if (part !== null) documentOf(part, until);
    const document = documentOf(schema, until);
    const misfits = values.map((value) => {
      const evaluation = new Evaluation(document, { until, maxMisfits: MAX_MISFITS });
      return evaluation.fits(JSON.parse(value)) ? [] : evaluation.misfits;
    });
    return { misfits };
  } catch (error) {
    if (error instanceof InvalidSchema) return { invalid: error.message };
    if (error instanceof OverBudget) return { overBudget: error.message };
    if (error instanceof RangeError) return { overBudget: 'the schema needs more than it may' };
    throw error;
  }
}

giveWay();
parentPort?.on('message', (/** @type {Task} */ task) => parentPort?.postMessage(carryOut(task)));
parentPort?.postMessage('ready');
