import { isObject } from '../../json/json-values.js';
import { rest } from '../../slices.js';
import { firstCodePoints } from '../../text/code-points.js';
import { endpointOf } from '../endpoint.js';
import { fieldsOf } from '../fields/field-metadata.js';
import { type Controller } from '../route-table.js';
import { type Method, wrapMethod } from '../wrapped-methods.js';
import { type LeanPlaces } from './lean-places.js';
import { type Selection, selected, selectionOf } from './selection.js';

type Bound = Readonly<Record<string, unknown>>;

/**
 * Makes a controller's method answer with the fields that `fields` and `value_limit` select, where its endpoint declares
 * places for them. The answer is complete before, and so is a stored one that is repeated: neither permissions nor what
 * counts as shown depend on a selection. Must be called after the method repeats answers (rule 11.6).
 */
export function makeLean(controller: Controller, name: string): void {
  const places = endpointOf(controller.prototype[name] as Method)?.lean;
  if (places === undefined) return;
  wrapMethod(controller, { name, layer: LEAN }, (method) => {
    return function (...args) {
      const answer = method.apply(this, args);
      const bound = args.find(isSelecting);
      return bound === undefined
        ? answer
        : Promise.resolve(answer).then((whole) => leanAnswer(whole, places, bound));
    };
  });
}

const LEAN = Symbol('lean');

/** True for a bound query or body by which the caller selects. */
function isSelecting(arg: unknown): arg is Bound {
  if (typeof arg !== 'object' || arg === null) return false;
  const values = arg as Bound;
  return [...fieldsOf(arg.constructor)].some(
    ([name, { selects }]) => values[name] !== undefined && (selects || name === VALUE_LIMIT),
  );
}

const VALUE_LIMIT = 'value_limit';

/** An answer with the selected fields of its items; the answer itself is not changed. */
async function leanAnswer(answer: unknown, places: LeanPlaces, bound: Bound): Promise<unknown> {
  const limit = bound[VALUE_LIMIT] as number | undefined;
  const fields = fieldsOf(bound.constructor);
  let lean = answer;
  for (const [path, parameter] of Object.entries(places)) {
    const names = bound[parameter] as string[] | undefined;
    const type = fields.get(parameter)?.selects?.();
    const selection = names === undefined || type === undefined ? null : selectionOf(names, type);
    lean = await within(lean, path === '' ? [] : path.split('.'), (item) => leanItem(item, selection, limit));
  }
  return lean;
}

/** Replaces the items at a path; what is absent or null there stays so. Others are served between the entries of a list. */
async function within(
  value: unknown,
  path: readonly string[],
  replace: (item: object) => unknown,
): Promise<unknown> {
  if (Array.isArray(value)) {
    const entries: unknown[] = [];
    for (const entry of value) {
      await rest();
      entries.push(await within(entry, path, replace));
    }
    return entries;
  }
  if (!isObject(value)) return value;
  const [name, ...below] = path;
  if (name === undefined) return replace(value);
  return name in value ? { ...value, [name]: await within(value[name], below, replace) } : value;
}

/** The fields of a relationship that hold nodes. */
const ENDS = ['from_node', 'to_node'];

function leanItem(item: object, selection: Selection | null, limit: number | undefined): unknown {
  const part = selection === null ? item : selected(item, selection);
  if (limit === undefined) return part;
  const cut = cutValue(part as Record<string, unknown>, limit);
  for (const name of ENDS) if (isObject(cut[name])) cut[name] = cutValue(cut[name], limit);
  return cut;
}

function cutValue(node: Record<string, unknown>, limit: number): Record<string, unknown> {
  const { value } = node;
  const first = typeof value === 'string' ? firstCodePoints(value, limit) : value;
  return first === value ? { ...node } : { ...node, value: `${String(first)}…`, value_truncated: true };
}
