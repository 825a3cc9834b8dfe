import { createHash } from 'node:crypto';
import { isObject } from '../../../kernel/json-values.js';
import { isId } from '../../../kernel/ids.js';
import { atOnce, isEndOfStep, type Steps } from '../../../kernel/slices.js';
import { parsePath, Selection } from './field-path.js';
import {
  cutTo,
  lastFour,
  LONGEST_NUMBER,
  type LeafChange,
  redactingLeaf,
  REMOVED,
  textOf,
} from './leaves.js';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { markOf } from './marks.js';
import { ELEMENT, type HiddenBelow, NOTHING_HIDDEN } from './restore.js';
import { roundedTo } from './rounded-dates.js';
import {
  holdingPii,
  holdsPii,
  type Redaction,
  redactingPii,
  redactPii,
  USUAL_REPLACEMENT,
} from '../../../libs/pii/redact.js';
import { keyedHash } from './pseudonym.js';
import { keysOf, type Visibility, visibility } from '../visibility.js';
import { nodeTypeKey } from '../node-type.js';
import { FIELDS_OF_TYPE } from './node-exposure.js';
import { type ApplyTo, type Transformation } from './transformation.js';

/** The facts of a node that transformations look at. */
export interface ExposureFacts {
  /** Ids of deleted tags included. */
  tagIds: readonly string[];
  nodeType: string;
}

/**
 * The facts of the node, or other thing, whose values are shown. Equal values of things with different ids
 * have different hashes (ADR 50), so texts beside a node need an id of their own.
 */
export interface ShownFacts extends ExposureFacts {
  id: string;
}

/** One state of a shown thing, or several, all with one id. */
export type ShownStates = ShownFacts | readonly ShownFacts[];

/** One state of a node, or several: then a transformation that concerns any of them applies. */
export type ExposureStates = ExposureFacts | readonly ExposureFacts[];

/** The change that a transformation makes to the values it selects. */
interface Change {
  /** Changes a whole selected value of any kind; without it every leaf below is changed. */
  whole?: (value: unknown) => unknown;
  leaf: LeafChange;
  /** Changes a leaf in the place of `leaf`, by its place in the thing that is shown. */
  placed?: (leaf: unknown, place: string) => unknown;
  /** True for a key whose entry is left out. */
  hidesKey?: (key: string) => boolean;
}

/** The values that a transformation leaves out: each that it selects, with all below, or some of the leaves there. */
type Removal = 'of wholes' | 'of leaves' | null;

/** A place in a node: what each set of paths makes of it, the keys that lead to it, how many levels down it is. */
interface Place {
  change: Change;
  selections: readonly Selection[];
  keys: readonly string[];
  depth: number;
  /** The thing and the keys and positions in it, for a change that is `placed`; else empty. */
  at: string;
}

/** The longest place that is not digested: under a long key each of many values would take as long as the key. */
const LONGEST_PLACE = 256;

/** The place of a key or position. No two ways through a value have one place, whatever their keys contain. */
function placeBelow({ change, at }: Pick<Place, 'change' | 'at'>, segment: string | number): string {
  if (change.placed === undefined) return '';
  const place = `${at}/${String(segment).length}:${segment}`;
  return place.length > LONGEST_PLACE ? createHash('sha256').update(place).digest('hex') : place;
}

/** The depth beyond that of any stored node (rule 4.13). Deeper values are neither examined nor shown. */
const DEEPEST = 64;

type Container = unknown[] | Record<string, unknown>;

/** The thing of which a value is shown, and the way to the value. */
export interface Origin {
  path: readonly string[];
  id: string;
}

let transformations = 0;

const SEARCHING: readonly Transformation['type'][] = ['pii_redaction', 'round_date'];

/** A transformation ready to be used on many nodes. Pure; never changes its input. */
export class CompiledTransformation {
  /** A number that is unique in this process. */
  readonly number = ++transformations;
  /** True if it only omits the values that it selects, or shows null for them. */
  readonly onlyHides: boolean;
  /** True if it reads texts to their end, which takes time. */
  readonly searches: boolean;
  /** A node needs one of these tags; empty: none. */
  readonly tagIds: ReadonlySet<string>;
  private readonly removal: Removal;
  private readonly fields: readonly string[];
  private readonly selections: readonly Selection[];
  private readonly change: Change;
  private readonly redaction: Redaction | null;
  private readonly mark: RegExp | null;
  private readonly nodeTypes: readonly string[];

  /** @param transformation as returned by {@link parseTransformations} */
  constructor(transformation: Transformation, pseudonymKey: string) {
    const applyTo: ApplyTo = transformation.apply_to ?? {};
    this.fields = FIELDS_OF_TYPE[transformation.type];
    this.selections = [pathsOf(transformation), applyTo.fields ?? []].filter(isRestricting).map(selectionOf);
    this.redaction = redactionOf(transformation);
    this.mark = markOf(transformation);
    this.change = changeOf(transformation, pseudonymKey);
    this.searches = SEARCHING.includes(transformation.type);
    this.removal = removalOf(transformation);
    this.onlyHides =
      transformation.type === 'field_mask' &&
      ['remove', 'null'].includes(transformation.config.strategy ?? 'remove');
    this.tagIds = new Set((applyTo.tag_ids ?? []).filter(isId).map((id) => id.toLowerCase()));
    this.nodeTypes = applyTo.node_types ?? [];
  }

  /** True if it applies to a node that is, or was, in one of these states. */
  concerns(states: ExposureStates): boolean {
    return isSeveral(states) ? states.some((facts) => this.concernsOne(facts)) : this.concernsOne(states);
  }

  /** The nodes that it applies to, as an expression for the database. */
  get concerned(): Visibility {
    return visibility.and(
      this.nodeTypes.length === 0 ? visibility.all : visibility.typeIn(this.nodeTypes),
      this.tagIds.size === 0 ? visibility.all : visibility.taggedAny(this.tagIds),
    );
  }

  /** True if both could change the same field of a node. */
  meets(other: CompiledTransformation): boolean {
    return this.fields.some((field) => this.reaches([field]) && other.reaches([field]));
  }

  /** True if it could change the value at the path, or something below it, in some node. */
  reaches(path: readonly string[]): boolean {
    return this.reachedAt(path) !== null;
  }

  /** The place of a field, and what it could take away below. */
  hiddenBelow(field: string): HiddenBelow {
    const { removal } = this;
    const placeOf = (selections: readonly Selection[]): HiddenBelow => ({
      isPossible:
        selections.every(({ isEmpty }) => !isEmpty) &&
        (removal === 'of leaves' || !selections.every(({ isInside }) => isInside)),
      at: (step) => placeOf(selections.map((one) => (step === ELEMENT ? one.element() : one.key(step)))),
    });
    return removal !== null && this.fields.includes(field) ? placeOf(this.at([field])) : NOTHING_HIDDEN;
  }

  /** True if it redacts texts, which takes much time. */
  get redacts(): boolean {
    return this.redaction !== null;
  }

  /** The value at the path as it is shown, or {@link REMOVED}. */
  apply(path: readonly string[], value: unknown, id: string): unknown {
    return atOnce(this.walk(this.change, { path, id }, value));
  }

  /** The same in steps, between which the work may pause. */
  *applying(path: readonly string[], value: unknown, id: string): Steps<unknown> {
    const from = { path, id };
    if (this.redaction === null) return yield* this.walk(this.change, from, value);
    const found = new FoundBefore();
    yield* this.walk(found.collecting, from, value);
    yield* found.find(this.redaction);
    return yield* this.walk(found.change, from, value);
  }

  /** The dotted paths, at or below this one, of texts that look like output of this transformation. */
  *marking(path: readonly string[], value: unknown): Steps<string[]> {
    const { mark } = this;
    const found: string[] = [];
    if (mark === null) return found;
    const look = (leaf: unknown, keys: readonly string[]): unknown => {
      if (typeof leaf === 'string' && mark.test(leaf)) found.push([path[0], ...keys].join('.'));
      return leaf;
    };
    yield* this.walk({ leaf: look }, { path, id: '' }, value);
    return found;
  }

  private *walk(change: Change, { path, id }: Origin, value: unknown): Steps<unknown> {
    const selections = this.reachedAt(path);
    if (selections === null) return value;
    const keys = path.slice(1);
    if (keys.length > 0 && change.hidesKey?.(keys.join('.'))) return REMOVED;
    const at = path.reduce((above, segment) => placeBelow({ change, at: above }, segment), id);
    const place = { change, selections, keys, depth: keys.length, at };
    return isContainer(value) ? yield* this.changing(value, place) : this.changedLeaf(value, place);
  }

  private concernsOne({ tagIds, nodeType }: ExposureFacts): boolean {
    if (this.nodeTypes.length > 0 && !keysOf(this.nodeTypes).has(nodeTypeKey(nodeType))) return false;
    return this.tagIds.size === 0 || tagIds.some((id) => this.tagIds.has(id));
  }

  /** The selections at the path; null if it could change nothing there or below. */
  private reachedAt(path: readonly string[]): Selection[] | null {
    if (!this.fields.includes(path[0]!)) return null;
    const selections = this.at(path);
    return selections.some(({ isEmpty }) => isEmpty) ? null : selections;
  }

  private at(path: readonly string[]): Selection[] {
    return this.selections.map((selection) =>
      path.reduce((place, segment) => place.step(segment), selection),
    );
  }

  private *changing(value: Container, place: Place): Steps<unknown> {
    const { change, selections, depth } = place;
    if (selections.some((selection) => selection.isEmpty)) return value;
    if (change.whole && selections.every((selection) => selection.isInside)) return change.whole(value);
    if (depth > DEEPEST) return null;
    yield undefined;
    return Array.isArray(value)
      ? yield* this.changingElements(value, place)
      : yield* this.changingEntries(value, place);
  }

  private changedLeaf(value: unknown, { change, selections, keys, depth, at }: Place): unknown {
    if (selections.some((selection) => selection.isEmpty)) return value;
    const isSelected = selections.every((selection) => selection.isInside);
    if (isSelected && change.whole) return change.whole(value);
    if (depth > DEEPEST) return null;
    if (!isSelected) return value;
    if (change.placed) return change.placed(value, at);
    return change.leaf(
      value,
      keys,
      selections.some((selection) => selection.isNamed),
    );
  }

  private *changingElements(elements: readonly unknown[], place: Place): Steps<unknown[]> {
    const selections = place.selections.map((selection) => selection.element());
    const below = { ...place, selections, depth: place.depth + 1 };
    const isPlaced = place.change.placed !== undefined;
    const shown: unknown[] = [];
    for (const [index, element] of elements.entries()) {
      if (isEndOfStep(index)) yield undefined;
      const there = isPlaced ? { ...below, at: placeBelow(place, index) } : below;
      const changed = isContainer(element)
        ? yield* this.changing(element, there)
        : this.changedLeaf(element, there);
      // The other elements keep their positions; otherwise a value that is written back could not be matched.
      shown.push(changed === REMOVED ? null : changed);
    }
    return shown;
  }

  private *changingEntries(value: Record<string, unknown>, place: Place): Steps<unknown> {
    const { change, keys, depth } = place;
    const shown: [string, unknown][] = [];
    for (const [index, [key, part]] of Object.entries(value).entries()) {
      if (isEndOfStep(index)) yield undefined;
      const selections = place.selections.map((selection) => selection.key(key));
      if (change.hidesKey && selections.every(({ isInside }) => isInside) && change.hidesKey(key)) continue;
      const at = placeBelow(place, key);
      const below = { change, selections, keys: [...keys, key], depth: depth + 1, at };
      const changed = isContainer(part) ? yield* this.changing(part, below) : this.changedLeaf(part, below);
      if (changed !== REMOVED) shown.push([key, changed]);
    }
    // Assignment would fail here: a key may be called __proto__.
    return Object.fromEntries(shown);
  }
}

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isObject(value);

/** Array.isArray does not narrow a readonly array. */
const isSeveral = (states: ExposureStates): states is readonly ExposureFacts[] => Array.isArray(states);

function isRestricting(paths: readonly string[]): boolean {
  return paths.length > 0;
}

function selectionOf(paths: readonly string[]): Selection {
  return Selection.of(paths.map(parsePath).filter((path) => path !== null));
}

function pathsOf(transformation: Transformation): string[] {
  switch (transformation.type) {
    case 'field_mask':
    case 'pseudonymize':
      return transformation.config.paths;
    case 'truncate':
      return [transformation.config.field];
    default:
      return [];
  }
}

/** The parts that a transformation may leave out, by the rule alone: it does not say which keys a redaction leaves out. */
function removalOf(transformation: Transformation): Removal {
  switch (transformation.type) {
    case 'field_mask':
      return (transformation.config.strategy ?? 'remove') === 'remove' ? 'of wholes' : null;
    case 'truncate':
      return transformation.config.max < LONGEST_NUMBER ? 'of leaves' : null;
    case 'round_date':
      return 'of leaves';
    default:
      return null;
  }
}

function redactionOf(transformation: Transformation): Redaction | null {
  if (transformation.type !== 'pii_redaction') return null;
  const { entities = PII_ENTITIES, replacement = USUAL_REPLACEMENT } = transformation.config ?? {};
  return { entities: new Set(entities), replacement };
}

/** The redactions of each text and key of one value, found step by step before the value is changed. */
class FoundBefore {
  private readonly texts = new Map<string, { text: string; label: string; redacted: string }>();
  private readonly keys = new Map<string, boolean>();

  /** Changes nothing: collects the texts to be searched. */
  readonly collecting: Change = {
    leaf: redactingLeaf((text, label) => {
      this.texts.set(nameOf(text, label), { text, label, redacted: text });
      return text;
    }),
    hidesKey: (key) => {
      this.keys.set(key, false);
      return false;
    },
  };

  readonly change: Change = {
    leaf: redactingLeaf((text, label) => this.texts.get(nameOf(text, label))!.redacted),
    hidesKey: (key) => this.keys.get(key)!,
  };

  *find(redaction: Redaction): Steps<void> {
    for (const key of this.keys.keys()) {
      this.keys.set(key, yield* holdingPii(key, redaction));
      yield undefined;
    }
    for (const one of this.texts.values()) {
      one.redacted = yield* redactingPii(one.text, redaction, one.label);
      yield undefined;
    }
  }
}

const nameOf = (text: string, label: string): string => `${label}\0${text}`;

function changeOf(transformation: Transformation, pseudonymKey: string): Change {
  switch (transformation.type) {
    case 'pii_redaction': {
      const redaction = redactionOf(transformation) as Redaction;
      // An entry whose key contains an identifier cannot be shown.
      return {
        leaf: redactingLeaf((text, label) => redactPii(text, redaction, label)),
        hidesKey: (key) => holdsPii(key, redaction),
      };
    }
    case 'field_mask': {
      const strategy = transformation.config.strategy ?? 'remove';
      if (strategy === 'remove') return { whole: () => REMOVED, leaf: () => REMOVED };
      if (strategy === 'null') return { whole: () => null, leaf: () => null };
      if (strategy === 'last4') return { leaf: lastFour };
      return hashing(pseudonymKey, (place) => `hash\0${place}`);
    }
    case 'truncate':
      return { leaf: cutTo(transformation.config.max) };
    case 'round_date':
      return { leaf: roundedTo(transformation.config?.granularity ?? 'day') };
    case 'pseudonymize':
      return hashing(pseudonymKey, () => 'pseudonym');
  }
}

function hashing(key: string, purposeAt: (place: string) => string): Change {
  if (key === '') throw new Error('a transformation that hashes needs the key of its app and user');
  const placed = (leaf: unknown, place: string): unknown =>
    leaf === null || leaf === undefined ? leaf : keyedHash(key, purposeAt(place), textOf(leaf));
  return { leaf: () => REMOVED, placed };
}
