import { createHash } from 'node:crypto';
import { isSame } from '../../../kernel/json/json-values.js';
import { rest, type Slices, type Steps } from '../../../kernel/slices.js';
import { type DetailLevel } from '../profile-rules.js';
import {
  CompiledTransformation,
  type ExposureFacts,
  type ExposureStates,
  type ShownStates,
} from './compiled-transformation.js';
import { changed, changing, idOf } from './changed-values.js';
import { REMOVED } from './leaves.js';
import { type ExposureStep, lifts, loosens } from './loosening.js';
import { folded, foldedSteps } from './folded.js';
import { type Visibility, visibility } from '../visibility.js';
import { bytesOfPath } from './field-path.js';
import { FIELDS_AT } from './node-exposure.js';
import { pathsIn } from './parse-transformations.js';
import { eitherHidden, type HiddenBelow, ownParts, restoring } from './restore.js';
import { keeping, nameOfShown, type PreparedFields, recalled, shownFrom } from './shown-fields.js';
import { type Transformation } from './transformation.js';

export interface Exposing {
  detail: DetailLevel;
  transformations: readonly Transformation[];
  /** A secret of one app and user ({@link pseudonymKeyOf}); '' only where nothing is hashed. */
  pseudonymKey: string;
}

/** One value of a node, and the dotted path to it. */
export interface ValueOfNode {
  path: string;
  value: unknown;
}

/** The outcome of showing one field. */
export interface FieldStory {
  isShown: boolean;
  /** The detail level is considered last, but hides all that the transformations have left. */
  hiddenBy: 'max_detail_level' | 'transformations' | null;
  /** The indexes, from 0, of the profile's transformations that changed the value. */
  changedBy: number[];
  /** The value as shown; undefined when hidden. */
  value: unknown;
}

/** A step of {@link foldedSteps} ready to be used. */
interface CompiledStep {
  compiled: CompiledTransformation;
  continues: boolean;
}

export type ShownChanges = Record<string, { old?: unknown; new?: unknown }>;

/**
 * The view that one caller has of a readable node: the transformations in their order, then the detail level
 * (rules 3.14, 3.15). Readability was decided before. Pure, made once per access.
 */
export class FieldExposure {
  /** The exposure of owners: everything as stored. */
  static readonly full = new FieldExposure({ detail: 'full', transformations: [], pseudonymKey: '' });

  readonly detail: DetailLevel;
  /** An estimate of the memory that its paths take when nodes of every form have been shown. */
  readonly bytes: number;
  /** True if nodes are shown unchanged. */
  readonly isIdentity: boolean;
  /** The transformations, neighbours folded where possible. */
  private readonly transformations: readonly CompiledTransformation[];
  private readonly written: Exposing;
  private compiledSteps: readonly CompiledStep[] | null = null;
  private nameOfRules: string | null = null;
  private readonly unalteredNodes = new Map<string, Visibility>();

  /** @throws Error when a transformation hashes and there is no key */
  constructor(written: Exposing) {
    const { detail, transformations, pseudonymKey } = written;
    this.detail = detail;
    this.written = written;
    this.transformations = folded(transformations).map(
      (one) => new CompiledTransformation(one, pseudonymKey),
    );
    this.bytes = transformations.flatMap(pathsIn).reduce((sum, path) => sum + bytesOfPath(path), 0);
    this.isIdentity = detail === 'full' && transformations.length === 0;
  }

  /**
   * The node as it is shown: a new object (the same one when nothing is hidden), without hidden keys.
   * @param node wire form with every field, `tags` already cut to the names the caller may know
   * @param states of a past state, that state and the current one: a transformation that applies to either
   *   applies (rule 3.20)
   * @param prepared the result of {@link prepare} for the same node and states
   * @throws Error for a long value that was not prepared
   */
  expose(
    node: Readonly<Record<string, unknown>>,
    states: ShownStates,
    prepared: PreparedFields = new Map(),
  ): Record<string, unknown> {
    if (this.isIdentity) return node;
    const working = this.working(states);
    const id = idOf(states);
    const shown: Record<string, unknown> = {};
    for (const field of Object.keys(node)) {
      if (!this.showsField(field)) continue;
      const name = nameOfShown({ node, field }, working);
      const text = name === null ? undefined : recalled(name, prepared);
      const value =
        text === undefined ? changed(working, { path: [field], id }, node[field]) : shownFrom(text);
      if (value !== REMOVED) shown[field] = value;
    }
    return shown;
  }

  /** The inputs that it was made of: exposures of equal terms show every node alike. */
  get terms(): Readonly<Exposing> {
    return this.written;
  }

  /** True if {@link prepare} is worth calling. */
  get takesTime(): boolean {
    return this.transformations.length > 0;
  }

  /**
   * Does the slow part of {@link expose} in slices, for the same node and states. The result is cached for a while, and
   * certain to be used where it is passed on.
   */
  async prepare(
    node: Readonly<Record<string, unknown>>,
    states: ShownStates,
    slices: Slices,
  ): Promise<PreparedFields> {
    const prepared: PreparedFields = new Map();
    if (!this.takesTime) return prepared;
    await rest();
    const working = this.working(states);
    for (const field of Object.keys(node)) {
      const name = this.showsField(field) ? nameOfShown({ node, field }, working) : null;
      if (name === null) continue;
      const steps = changing(working, { path: [field], id: idOf(states) }, node[field]);
      const text = recalled(name, prepared) ?? (await slices.run(keeping(name, steps), true));
      prepared.set(name, text);
    }
    return prepared;
  }

  /** The same as {@link expose}, in slices. */
  async exposeInSlices(
    node: Readonly<Record<string, unknown>>,
    states: ShownStates,
    slices: Slices,
  ): Promise<Record<string, unknown>> {
    return this.expose(node, states, await this.prepare(node, states, slices));
  }

  /**
   * One value of a node as it is shown; undefined when it is not. `path` is dotted: `metadata.properties.status`.
   * @throws Error for a long value
   */
  exposeValue(path: string, value: unknown, states: ShownStates): unknown {
    return this.shows(path) ? this.transformValue(path, value, states) : undefined;
  }

  /** The same in slices, for values that may be long. */
  async exposeValueInSlices(given: ValueOfNode, states: ShownStates, slices: Slices): Promise<unknown> {
    return this.shows(given.path) ? this.transformValueInSlices(given, states, slices) : undefined;
  }

  /** Computes what {@link expose} makes of one field of a node, transformation by transformation, in slices. */
  async story({ path, value }: ValueOfNode, states: ShownStates, slices: Slices): Promise<FieldStory> {
    if (!this.shows(path)) {
      return { isShown: false, hiddenBy: 'max_detail_level', changedBy: [], value: undefined };
    }
    const changedBy: number[] = [];
    let current = value;
    let before = value;
    for (const [index, { compiled, continues }] of this.steps.entries()) {
      if (!compiled.concerns(states)) continue;
      if (!continues) before = current;
      const next = await slices.run(compiled.applying([path], before, idOf(states)));
      if (next === REMOVED) {
        const steps = [...changedBy, index];
        return { isShown: false, hiddenBy: 'transformations', changedBy: steps, value: undefined };
      }
      if (!isSame(next, current)) changedBy.push(index);
      current = next;
    }
    return { isShown: true, hiddenBy: null, changedBy, value: current };
  }

  /**
   * The value regardless of the detail level: for texts beside nodes, which have a level of their own.
   * @throws Error for a long value
   */
  transformValue(path: string, value: unknown, states: ShownStates): unknown {
    if (this.isIdentity) return value;
    const shown = changed(this.working(states), { path: path.split('.'), id: idOf(states) }, value);
    return shown === REMOVED ? undefined : shown;
  }

  /** The same in slices, for values that may be long. */
  async transformValueInSlices(
    { path, value }: ValueOfNode,
    states: ShownStates,
    slices: Slices,
  ): Promise<unknown> {
    if (this.isIdentity) return value;
    const from = { path: path.split('.'), id: idOf(states) };
    const shown = await slices.run(changing(this.working(states), from, value));
    return shown === REMOVED ? undefined : shown;
  }

  /** True if the detail level shows the field (or the field of a path). */
  shows(path: string): boolean {
    return this.isIdentity || this.showsField(path.split('.')[0]!);
  }

  /** True if a transformation depends on a node carrying this tag. */
  isBoundTo(tagId: string): boolean {
    return this.transformations.some(({ tagIds }) => [...tagIds].includes(tagId));
  }

  /** True if the same transformations apply in both states. */
  worksAlike(before: ExposureFacts, after: ExposureFacts): boolean {
    return this.transformations.every((one) => one.concerns(before) === one.concerns(after));
  }

  /** True if a transformation could change the field's value, or a part of it, in any node. */
  transforms(path: string): boolean {
    const segments = path.split('.');
    return this.transformations.some((transformation) => transformation.reaches(segments));
  }

  /**
   * True if a transformation applies in these states that could change the value at the path, or a part of
   * it.
   */
  alters(path: string, states: ExposureStates): boolean {
    const segments = path.split('.');
    return this.working(states).some((transformation) => transformation.reaches(segments));
  }

  /** Equal names mean that equal values of one node are shown equally, to any caller at any time. */
  nameIn(states: ExposureStates): string {
    this.nameOfRules ??= createHash('sha256').update(JSON.stringify(this.written)).digest('base64url');
    const places = this.transformations.flatMap((one, place) => (one.concerns(states) ? [place] : []));
    return `${this.nameOfRules} ${places.join()}`;
  }

  /** True if the shown field could differ from the stored one, in any node. */
  touches(path: string): boolean {
    return !this.shows(path) || this.transforms(path);
  }

  /**
   * The nodes of which all these fields are shown as they are stored, for any content. The same object each
   * time.
   */
  unaltered(...fields: readonly string[]): Visibility {
    const key = fields.join(' ');
    let nodes = this.unalteredNodes.get(key);
    if (nodes === undefined) {
      const altering = this.transformations.filter((one) => fields.some((field) => one.reaches([field])));
      nodes = visibility.not(visibility.or(...altering.map(({ concerned }) => concerned)));
      this.unalteredNodes.set(key, nodes);
    }
    return nodes;
  }

  /** The nodes of which the date in this field is rounded to its year. */
  roundedToYear(field: string): Visibility {
    return visibility.or(
      ...this.transformations
        .filter((one) => one.roundsToYear && one.reaches([field]))
        .map(({ concerned }) => concerned),
    );
  }

  /**
   * True if a write that takes this step could show its writer more of the node than before. The answer must
   * not reveal tags that they may not know: the step also counts if it would show more of a node that carried
   * none, or all, of those.
   */
  loosens(step: ExposureStep): boolean {
    return loosens(this.transformations, step);
  }

  /** True if a node, or a past state of it, could be shown in more detail by later states than by earlier ones. */
  lifts(before: ExposureStates, after: ExposureStates): boolean {
    return lifts(this.transformations, before, after);
  }

  /**
   * True if a transformation that could change the value at the path applies in one state and no longer in
   * later ones.
   */
  unmasks(path: string, before: ExposureFacts, after: ExposureStates): boolean {
    const segments = path.split('.');
    return this.transformations.some(
      (one) => one.concerns(before) && !one.concerns(after) && one.reaches(segments),
    );
  }

  /**
   * The value of a field that a caller means by `written` who was shown `shown` for `original` (rule 3.17).
   */
  *restoring(
    field: string,
    { original, shown, written }: Record<'original' | 'shown' | 'written', unknown>,
  ): Steps<unknown> {
    return this.isIdentity ? written : yield* restoring(original, shown, written, this.hiddenBelow(field));
  }

  /**
   * The paths at which a write carries the output of a transformation (`[REDACTED:email]`, a hash), though
   * the value differs from the shown one: the text behind it would be lost (rule 3.17c). Depends only on the
   * rules and on the shown and written values: not on a transformation applying to the node.
   */
  *marking(field: string, { shown, written }: { shown: unknown; written: unknown }): Steps<string[]> {
    const found = new Set<string>();
    if (!this.transforms(field)) return [];
    const own = yield* ownParts(shown, written);
    for (const one of this.transformations) {
      for (const path of yield* one.marking([field], own)) found.add(path);
    }
    return [...found];
  }

  /** One step for each of the profile's transformations, for explanations of single ones. */
  private get steps(): readonly CompiledStep[] {
    const { transformations, pseudonymKey } = this.written;
    return (this.compiledSteps ??= foldedSteps(transformations).map(({ transformation, continues }) => ({
      compiled: new CompiledTransformation(transformation, pseudonymKey),
      continues,
    })));
  }

  /**
   * The hidden parts by the rules alone, for any node: the result of a write must not reveal that the node
   * carries a hidden tag.
   */
  private hiddenBelow(field: string): HiddenBelow {
    return eitherHidden(this.transformations.map((one) => one.hiddenBelow(field)));
  }

  private working(states: ExposureStates): CompiledTransformation[] {
    return this.transformations.filter((transformation) => transformation.concerns(states));
  }

  private showsField(field: string): boolean {
    return FIELDS_AT[this.detail].has(field);
  }
}
