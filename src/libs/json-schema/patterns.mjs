// @ts-check
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';

/** @typedef {{ test(text: string): boolean }} Pattern */

/** A pattern is compiled into a program that grows with it, and its time with both. */
const MAX_PATTERN = 2_000;
/** The limit of the program: `a{1000}` is a thousand steps in six characters, and takes as long to compile. */
const MAX_STEPS = 10_000;
/** The cost of compiling a Unicode class, in steps. */
const CLASS_STEPS = 10;
/** Longer texts are not a date, an address or a name. */
const MAX_FORMATTED = 4_096;

/** General categories by the long names that ECMA-262 knows and RE2 does not. */
const CATEGORIES = new Map(
  Object.entries({
    Letter: 'L',
    Cased_Letter: 'LC',
    Uppercase_Letter: 'Lu',
    Lowercase_Letter: 'Ll',
    Titlecase_Letter: 'Lt',
    Modifier_Letter: 'Lm',
    Other_Letter: 'Lo',
    Mark: 'M',
    Nonspacing_Mark: 'Mn',
    Spacing_Mark: 'Mc',
    Enclosing_Mark: 'Me',
    Number: 'N',
    Decimal_Number: 'Nd',
    digit: 'Nd',
    Letter_Number: 'Nl',
    Other_Number: 'No',
    Punctuation: 'P',
    punct: 'P',
    Connector_Punctuation: 'Pc',
    Dash_Punctuation: 'Pd',
    Open_Punctuation: 'Ps',
    Close_Punctuation: 'Pe',
    Initial_Punctuation: 'Pi',
    Final_Punctuation: 'Pf',
    Other_Punctuation: 'Po',
    Symbol: 'S',
    Math_Symbol: 'Sm',
    Currency_Symbol: 'Sc',
    Modifier_Symbol: 'Sk',
    Other_Symbol: 'So',
    Separator: 'Z',
    Space_Separator: 'Zs',
    Line_Separator: 'Zl',
    Paragraph_Separator: 'Zp',
    Other: 'C',
    Control: 'Cc',
    Format: 'Cf',
    Private_Use: 'Co',
  }),
);

/**
 * A regular expression of ECMA-262 that is matched in time linear in the text (RE2). Features that RE2 lacks (lookaround,
 * back references) are refused.
 * @param {string} source
 * @returns {Pattern}
 */
export function patternOf(source) {
  if (source.length > MAX_PATTERN) throw new Error(`a pattern has more than ${MAX_PATTERN} characters`);
  if (stepsOf(source) > MAX_STEPS)
    throw new Error(`a pattern has more than ${MAX_STEPS} steps, repetitions written out`);
  const translated = source.replace(
    /\\(\\|([pP])\{(?:General_Category=|gc=|Script=|sc=)?(\w+)\})/g,
    (all, _rest, p, name) => (p === undefined ? all : `\\${p}{${CATEGORIES.get(name) ?? name}}`),
  );
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(translated));
    return { test: (text) => expression.test(text) };
  } catch {
    throw new Error(
      'a pattern is no regular expression, or uses what is not supported (looking around, back references)',
    );
  }
}

const PART =
  /\\[pP](?:\{[^}]*\}|.)|\\u\{[^}]*\}|\\.|\[\^?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|\((?:\?(?:[:=!]|<[=!]|P?<\w+>))?|[^]/g;

/**
 * The approximate length of a pattern with its counted repetitions written out.
 * @param {string} source
 */
function stepsOf(source) {
  let [steps, last] = [0, 0];
  /** @type {number[]} the steps before each open group */
  const before = [];
  for (const [part, least, most] of source.matchAll(PART)) {
    if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1);
      steps += last * (times - 1);
      last *= times;
    } else if (part.startsWith('(')) {
      before.push(steps);
      steps = 0;
    } else if (part === ')') {
      last = steps + 1;
      steps = last + (before.pop() ?? 0);
    } else {
      last = 1 + CLASS_STEPS * (part.match(/\\[pP]/g)?.length ?? 0);
      steps += last;
    }
    if (steps > MAX_STEPS) break;
  }
  return before.reduce((sum, each) => sum + each, steps);
}

/** @type {Map<string, ((text: string) => boolean) | null>} */
const formats = new Map();

/**
 * True if the text has that format; true for any text if the format is unknown or about numbers.
 * @param {string} format
 * @param {string} text
 */
export function hasFormat(format, text) {
  let test = formats.get(format);
  if (test === undefined) {
    // Names come from strangers' schemas: unknown ones are not cached.
    if (!Object.hasOwn(fullFormats, format)) return true;
    formats.set(format, (test = testOf(fullFormats[/** @type {keyof typeof fullFormats} */ (format)])));
  }
  return test === null || (text.length <= MAX_FORMATTED && test(text));
}

/**
 * @param {unknown} definition
 * @returns {((text: string) => boolean) | null}
 */
function testOf(definition) {
  if (definition instanceof RegExp) return linear(definition);
  if (typeof definition === 'function') return (text) => definition(text) === true;
  if (typeof definition !== 'object' || definition === null) return null;
  const { type, validate } = /** @type {{ type?: string, validate?: unknown }} */ (definition);
  return type === 'number' ? null : testOf(validate);
}

/**
 * The format's own expression, run by RE2 if possible; any other runs briefly, because the text is bounded.
 * @param {RegExp} expression
 * @returns {(text: string) => boolean}
 */
function linear(expression) {
  try {
    const flags = expression.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    const compiled = RE2JS.compile(RE2JS.translateRegExp(expression.source), flags);
    return (text) => compiled.test(text);
  } catch {
    return (text) => expression.test(text);
  }
}
