import { isId } from '../../../kernel/ids.js';
import { boundedPathName } from '../../../kernel/path-names.js';
import { atOnce, type Steps } from '../../../kernel/slices.js';
import { type Redaction } from '../../../libs/pii/redact.js';
import { nodeTypeKey } from '../node-type.js';
import { keysOf, type Visibility, visibility } from '../visibility.js';
import { parsePath, Selection } from './field-path.js';
import { LONGEST_NUMBER } from './leaves.js';
import { markOf } from './marks.js';
import { FIELDS_OF_TYPE } from './node-exposure.js';
import { ELEMENT, type HiddenBelow, NOTHING_HIDDEN } from './restore.js';
import { type ApplyTo, type Transformation } from './transformation.js';
import { FoundIdentifiers, redactionOf, type ValueChange, valueChangeOf } from './value-change.js';
import { type Origin, walked } from './value-walk.js';

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

/** The values that a transformation leaves out: each that it selects, with all below, or some of the leaves there. */
type Removal = 'of wholes' | 'of leaves' | null;

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
  /** True if it leaves nothing of a date but its year. */
  readonly roundsToYear: boolean;
  /** A node needs one of these tags; empty: none. */
  readonly tagIds: ReadonlySet<string>;
  private readonly removal: Removal;
  private readonly fields: readonly string[];
  private readonly selections: readonly Selection[];
  private readonly change: ValueChange;
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
    this.change = valueChangeOf(transformation, pseudonymKey);
    this.searches = SEARCHING.includes(transformation.type);
    this.removal = removalOf(transformation);
    this.onlyHides =
      transformation.type === 'field_mask' &&
      ['remove', 'null'].includes(transformation.config.strategy ?? 'remove');
    this.roundsToYear = transformation.type === 'round_date' && transformation.config?.granularity === 'year';
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
    const found = new FoundIdentifiers();
    yield* this.walk(found.collecting, from, value);
    yield* found.find(this.redaction);
    return yield* this.walk(found.change, from, value);
  }

  /** The bounded names of paths, at or below this one, to texts that look like output of this transformation. */
  *marking(path: readonly string[], value: unknown): Steps<string[]> {
    const { mark } = this;
    const found: string[] = [];
    if (mark === null) return found;
    const look = (leaf: unknown, keys: readonly string[]): unknown => {
      if (typeof leaf === 'string' && mark.test(leaf)) found.push(boundedPathName([path[0]!, ...keys]));
      return leaf;
    };
    yield* this.walk({ leaf: look }, { path, id: '' }, value);
    return found;
  }

  private *walk(change: ValueChange, origin: Origin, value: unknown): Steps<unknown> {
    const selections = this.reachedAt(origin.path);
    return selections === null ? value : yield* walked({ change, selections }, origin, value);
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
}

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
