// @ts-check
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { budgetOf } from './budget.mjs';
import {
  dialectOf,
  DIALECTS,
  Document,
  InvalidSchema,
  isObject,
  metaSchemaOf,
  standard,
} from './document.mjs';
import { Evaluation, OverBudget } from './evaluation.mjs';

/** The worker of {@link JsonSchemaWorkers}, in which schemas and values of strangers are evaluated. */

/** @typedef {import('./evaluation.mjs').Violation} Violation */
/** @typedef {import('./budget.mjs').Budget} Budget */
/**
 * A task checks the schema, and the part from which it was made, and validates each of the values.
 * @typedef {{ schema: string, part: string | null, values: string[], milliseconds: number, patience: number }} Task
 * @typedef {{ violations: Violation[][] } | { invalid: string } | { overBudget: string }} Outcome
 */

/** The limit for one value; callers who fix these validate again. */
const MAX_VIOLATIONS = 50;
const NICENESS = 5;
const KEPT = { documents: 64, characters: 1024 * 1024 };

/** The documents used last, by their text. @type {Map<string, Document>} */
const documents = new Map();
let characters = 0;

/** @param {string} text @param {Budget} budget @returns {Document} */
function documentOf(text, budget) {
  const kept = documents.get(text);
  const document = kept ?? read(text, budget);
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

const TYPE = /(^|(?<!\/dependencies))\/type$/;
const TYPES = 'must be one of array, boolean, integer, null, number, object and string, or a list of them';

/** @param {string} text @param {Budget} budget @returns {Document} */
function read(text, budget) {
  const schema = JSON.parse(text);
  const dialect = dialectOf(isObject(schema) ? schema['$schema'] : undefined);
  const evaluation = new Evaluation(standard, { budget, maxViolations: 1 });
  if (!evaluation.fits(schema, metaSchemaOf(dialect))) {
    const [{ pointer, message } = { pointer: '', message: 'is no JSON Schema' }] = evaluation.violations;
    // The only keyword with alternatives that authors often get wrong: the message lists them.
    const expected = TYPE.test(pointer) && message.includes('alternatives') ? TYPES : message;
    throw new InvalidSchema(`${pointer === '' ? 'The schema' : pointer} ${expected}`);
  }
  return new Document(schema, standard, () => {
    if (budget.isSpent()) throw new OverBudget('the schema takes too long to check');
  });
}

/**
 * Gives requests priority when there are fewer processors than threads. Slightly: patience is measured by the clock. On
 * Linux a thread has its own priority; on other systems this would lower the whole service's.
 */
function giveWay() {
  if (platform() !== 'linux') return;
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may forbid it: then all threads have equal priority.
  }
}

/** @param {Task} task @returns {Outcome} */
function carryOut({ schema, part, values, milliseconds, patience }) {
  const budget = budgetOf(milliseconds, patience);
  try {
    if (part !== null) documentOf(part, budget);
    const document = documentOf(schema, budget);
    const violations = values.map((value) => {
      const evaluation = new Evaluation(document, { budget, maxViolations: MAX_VIOLATIONS });
      return evaluation.fits(JSON.parse(value)) ? [] : evaluation.violations;
    });
    return { violations };
  } catch (error) {
    if (error instanceof InvalidSchema) return { invalid: error.message };
    if (error instanceof OverBudget) return { overBudget: error.message };
    if (error instanceof RangeError) return { overBudget: 'the schema needs more than it may' };
    throw error;
  }
}

/** Loads, compiles and prepares shared parts, so that the first task does not pay for them. */
function warmUp() {
  for (const $schema of DIALECTS.keys()) {
    const schema = JSON.stringify({
      $schema,
      $ref: '#/$defs/a',
      $defs: { a: { type: 'object', required: ['a'] } },
    });
    carryOut({ schema, part: null, values: ['{"a":1}', '{}'], milliseconds: Infinity, patience: Infinity });
  }
}

giveWay();
warmUp();
parentPort?.on('message', (/** @type {Task} */ task) => parentPort?.postMessage(carryOut(task)));
parentPort?.postMessage('ready');
