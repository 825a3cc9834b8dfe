import { isObject } from '../../json/json-values.js';
import { nearestName } from '../../text/nearest-name.js';
import { fieldsOf } from '../fields/field-metadata.js';

/** Names of fields and what is selected within each; null: all of it. */
type Tree = Map<string, Tree | null>;

/** The fields of an item that its reader has selected. */
export interface Selection {
  /** Null: all fields. */
  only: Tree | null;
  without: Tree | null;
}

type Dto = new () => object;

/** The most characters that a refusal repeats of a name. */
const MOST_CHARACTERS = 64;

/**
 * Reads names of fields: dotted paths, those behind `-` leave out. Fields that the class requires are always selected,
 * because answers must fit their documentation.
 * Names must pass {@link wrongName} first: an unknown one selects nothing.
 */
export function selectionOf(names: readonly string[], type: Dto): Selection {
  let only: Tree | null = null;
  let without: Tree | null = null;
  for (const name of names) {
    if (name.startsWith('-')) plant((without ??= new Map()), name.slice(1).split('.'), null);
    else plant((only ??= required(type)), name.split('.'), type);
  }
  return { only, without };
}

/** Adds a path to a tree. A whole field stays whole. */
function plant(tree: Tree, [name, ...rest]: string[], type: Dto | null): void {
  const field = name as string;
  if (rest.length === 0) return void tree.set(field, null);
  const inner = type === null ? undefined : fieldsOf(type).get(field)?.nested?.type();
  const below = tree.has(field) ? tree.get(field) : inner === undefined ? new Map() : required(inner);
  if (below === null || below === undefined) return;
  tree.set(field, below);
  plant(below, rest, inner ?? null);
}

const required = (type: Dto): Tree =>
  new Map([...fieldsOf(type)].flatMap(([name, { isRequired }]) => (isRequired ? [[name, null]] : [])));

/** The phrase that refuses a name of a field, with the nearest known one; null if it may be selected. */
export function wrongName(name: string, type: Dto): string | null {
  const isLeftOut = name.startsWith('-');
  const path = (isLeftOut ? name.slice(1) : name).split('.');
  const said = (text: string) => `\`${shortened(text)}\``;
  let at: Dto | null = type;
  for (const [index, step] of path.entries()) {
    if (step === '') return name === '' ? 'must name at least one field' : `${said(name)} has an empty part`;
    if (at === null) continue;
    const fields = fieldsOf(at);
    const field = fields.get(step);
    if (field === undefined)
      return `${said(name)} is not a known field${nearestTo(step, [...fields.keys()])}`;
    const isLast = index === path.length - 1;
    if (isLast && isLeftOut && field.isRequired) return `${said(step)} is always present`;
    if (!isLast && field.nested === undefined && !field.isFree)
      return `${said(step)} has no fields of its own`;
    at = field.nested?.type() ?? null;
  }
  return null;
}

function nearestTo(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; the nearest one is \`${nearest}\``;
}

const shortened = (name: string): string =>
  name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS).toWellFormed()}…` : name;

/** The selected part of an item, as a new object. A path through a list is for each of its entries. */
export function selected(item: unknown, { only, without }: Selection): unknown {
  const picked = only === null ? item : pick(item, only);
  return without === null ? picked : leaveOut(picked, without);
}

/** Undefined where a path leads into a value that has no fields. Null has no value, with or without fields. */
function pick(value: unknown, tree: Tree | null): unknown {
  if (tree === null || value === null) return value;
  if (Array.isArray(value))
    return value.map((entry) => pick(entry, tree)).filter((entry) => entry !== undefined);
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const below = tree.get(name);
    const shown = below === undefined ? undefined : pick(inner, below);
    return shown === undefined ? [] : [[name, shown] as const];
  });
  return Object.fromEntries(members);
}

function leaveOut(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((entry) => leaveOut(entry, tree));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const below = tree.get(name);
    if (below === null) return [];
    return [[name, below === undefined ? inner : leaveOut(inner, below)] as const];
  });
  return Object.fromEntries(members);
}
