import { isObject, isSame } from '../../../kernel/json/json-values.js';
import { type JsonObject, mergePatch, type NodeFields } from '../../common/index.js';
import { shapeErrors } from './node-rules.js';
import { subjectOf } from '../../schemas/index.js';
import { type FieldError } from '../../../kernel/errors/domain-error.js';

interface SentWords {
  /** The metadata as it was sent; undefined when absent. */
  sent: unknown;
  /** The stored metadata as the writer is shown it. */
  shown: unknown;
  /** True if it is a JSON merge patch. */
  merge: boolean;
}

/**
 * The metadata of a change as its writer knows it. A writer who is not shown all of it is judged by this
 * alone, so that no check depends on the hidden rest (rule 3.16).
 */
export class OwnWords {
  /** The metadata that the writer expects to read afterwards. */
  readonly expected: unknown;
  private readonly sent: JsonObject | null;
  private readonly shown: unknown;

  constructor({ sent, shown, merge }: SentWords) {
    this.expected = sent === undefined ? shown : merge ? mergePatch(shown, sent) : sent;
    this.sent = isObject(sent) ? ((merge ? mergePatch({}, sent) : sent) as JsonObject) : null;
    this.shown = shown;
  }

  /** True if the metadata is written back as it was read. */
  get isUnchanged(): boolean {
    return isSame(this.expected, this.shown);
  }

  /** The value that a schema validates; null when the writer sends none. */
  get subject(): JsonObject | null {
    return this.sent === null || this.isUnchanged ? null : subjectOf(this.expected as JsonObject);
  }

  /**
   * True if the value at a place of the subject is the writer's own: it was sent, and differs from the
   * shown one.
   */
  isOwn(pointer: string): boolean {
    const steps = pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return steps.length > 0 && differs(subjectOf(this.sent), subjectOfShown(this.shown), steps);
  }

  /** The violations of an identity type's shape in the writer's own words. */
  shapeErrors(fields: Pick<NodeFields, 'meaning_level' | 'node_type'>): FieldError[] {
    return shapeErrors({ ...fields, metadata: this.sent }).filter(({ field }) =>
      differs(this.sent, this.shown, field.split('.').slice(1)),
    );
  }
}

const subjectOfShown = (shown: unknown): JsonObject => (isObject(shown) ? subjectOf(shown) : {});

function differs(written: unknown, read: unknown, path: readonly string[]): boolean {
  const value = valueAt(written, path);
  return value !== undefined && !isSame(value, valueAt(read, path));
}

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as JsonObject)[key]
        : undefined,
    root,
  );
