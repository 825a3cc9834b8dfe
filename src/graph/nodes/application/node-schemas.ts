import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { canonicalText, isSame } from '../../../kernel/json/json-values.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access, maySchema } from '../../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { type JsonObject, type NodeFields } from '../../common/index.js';
import { UnmaskedWrites } from './masked-writes.js';
import { type OwnWords } from '../domain/own-words.js';
import {
  JsonSchemas,
  notFitting,
  type ResolvedSchema,
  schemaNotFound,
  subjectOf,
} from '../../schemas/index.js';
import { type Violation } from '../../../libs/json-schema/workers.js';

/** A write's fields of a node. */
export interface SchemaChange {
  fields: Partial<NodeFields>;
  /**
   * The own words of a writer who is not shown all of the metadata, and who is judged by these alone. Null:
   * the whole is judged.
   */
  own: OwnWords | null;
}

/** Validates nodes against their schemas (rules 3.10, 4.4). */
@Injectable()
export class NodeSchemas {
  constructor(
    private readonly schemas: JsonSchemas,
    private readonly units: UnitOfWork,
  ) {}

  /** The checks for the nodes of one write. */
  checks(access: Access): SchemaChecks {
    return new SchemaChecks(access, this.schemas, this.units);
  }

  /** Runs one unit of work around many writes, which never waits for a schema check while it holds locks. */
  unit<T>(access: Access, work: (checks: SchemaChecks) => Promise<T>): Promise<T> {
    const checks = this.checks(access);
    return checks.unit(() => work(checks));
  }
}

/** Values to validate against a schema, by their cache keys. */
type Questions = Map<string, JsonObject>;

/**
 * The schema checks of one write. Results are remembered, so that a unit of work that repeats an earlier
 * question waits neither for a validation nor for a statement. While a unit is open no validation runs: it
 * would wait for a stranger's schema while it holds a connection and locks.
 */
export class SchemaChecks {
  /** The writes that the same request has unmasked so far. */
  readonly unmasked = new UnmaskedWrites();
  private readonly resolved = new Map<string, Promise<ResolvedSchema>>();
  /** Ids of schemas that nodes already have. */
  private readonly standing = new Set<string>();
  private readonly found = new Map<string, Promise<Violation[]>>();
  /** Questions that a unit of work could not answer, by schema. */
  private readonly open = new Map<string, Questions>();
  private assumes = false;
  private failures = 0;
  private disappointments = 0;

  constructor(
    private readonly access: Access,
    private readonly schemas: JsonSchemas,
    private readonly units: UnitOfWork,
  ) {}

  /**
   * Runs one unit of work around many writes. It assumes that unanswered questions about schemas have good
   * answers, is then rolled back, and runs again once the answers are known.
   */
  unit<T>(work: () => Promise<T>): Promise<T> {
    return this.retryAfterChecks(() => this.units.run(() => this.assuming(work)));
  }

  /** Runs many checks outside of a unit of work: one validation for each schema answers all of their questions. */
  together<T>(work: () => Promise<T>): Promise<T> {
    return this.retryAfterChecks(() => this.assuming(work));
  }

  /** Runs work again after answering the questions with which it ended. */
  async retryAfterChecks<T>(work: () => Promise<T>): Promise<T> {
    // A part of an open unit cannot wait; the unit itself runs again.
    if (this.units.isOpen) return work();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (this.open.size === 0) throw error;
        await this.answer();
      }
    }
  }

  /**
   * Refuses a schema for a node unless it exists for the caller and is granted; null stands for
   * `__freeform__`.
   * @throws SCHEMA_NOT_FOUND, PERMISSION_DENIED
   */
  async refuse(schemaId: string | null): Promise<void> {
    if (schemaId !== null) {
      const { schema } = await this.schema(schemaId, false);
      if (schema.deleted_at !== null) throw schemaNotFound('schema_id');
    }
    this.refuseUngranted(schemaId);
  }

  /** The part of `refuse` that needs no waiting: all of it for a node without a schema. */
  refuseUngranted(schemaId: string | null): void {
    if (!maySchema(this.access, 'write', schemaId)) {
      const message = schemaId === null ? NEEDS_FREEFORM : 'You may not write nodes with this schema';
      throw new DomainError('PERMISSION_DENIED', message);
    }
  }

  /**
   * Validates the metadata of a new node.
   * @returns the version of the schema that it was validated against
   * @throws SCHEMA_VALIDATION_FAILED
   */
  async ofNew({ schema_id, metadata }: Partial<NodeFields>): Promise<number | null> {
    if (schema_id === null || schema_id === undefined) return null;
    const violations = await this.violations(schema_id, subjectOf(metadata));
    if (violations.length > 0) throw notFitting(violations);
    return (await this.schema(schema_id)).schema.version;
  }

  /**
   * The same for a change. A writer who is not shown the metadata as it is stored is judged by their own
   * words. The rest is validated neither now nor later without them, because a schema of their own could
   * ask it any question, and even the time of the answer would reveal something (rule 3.16). The validity
   * of the whole is then unknown until a writer who is shown it writes.
   * @returns undefined when neither schema nor metadata change
   * @throws SCHEMA_NOT_FOUND when the node's schema no longer exists for the caller,
   * SCHEMA_VALIDATION_FAILED
   */
  async ofChange({ record }: Node, { fields, own }: SchemaChange): Promise<number | null | undefined> {
    const { schema_id = record.schema_id, metadata = record.metadata } = fields;
    if (schema_id !== null && schema_id === record.schema_id) this.standing.add(schema_id);
    if (own !== null) {
      if (schema_id === record.schema_id && own.isUnchanged) return record.schema_version;
      if (schema_id !== null) await this.refuseOwn(schema_id, own);
      return null;
    }
    if (schema_id === record.schema_id && isSame(metadata, record.metadata)) return undefined;
    return this.ofNew({ schema_id, metadata });
  }

  /** Validates many new nodes ahead, once for each schema. Errors are thrown when `ofNew` is called. */
  async ahead(nodes: readonly Partial<NodeFields>[]): Promise<void> {
    for (const { schema_id, metadata } of nodes) if (schema_id) this.note(schema_id, subjectOf(metadata));
    await this.answer();
  }

  private async assuming<T>(work: () => Promise<T>): Promise<T> {
    this.assumes = true;
    try {
      const value = await work();
      if (this.open.size > 0) throw UNANSWERED;
      return value;
    } finally {
      this.assumes = false;
    }
  }

  private note(schemaId: string, subject: JsonObject): void {
    const questions = this.open.get(schemaId) ?? (new Map() as Questions);
    this.open.set(schemaId, questions.set(keyOf(schemaId, subject), subject));
  }

  /** Answers all open questions with one validation for each schema. */
  private async answer(): Promise<void> {
    const before = this.disappointments;
    for (const [schemaId, questions] of this.open) {
      const outcome = this.outcomeOf(schemaId, [...questions.values()]);
      [...questions.keys()].forEach((key, index) => {
        const own = outcome.then((violations) => violations[index] ?? []);
        own.catch(() => undefined);
        this.found.set(key, own);
      });
      this.open.delete(schemaId);
      await outcome.then(
        (violations) => {
          if (violations.some((those) => those.length > 0)) this.disappointments = before + 1;
        },
        (error: unknown) => {
          if (!(error instanceof DomainError) || error.status >= 500) throw error;
          this.disappointments = before + 1;
          if (error.code === 'SCHEMA_VALIDATION_FAILED') this.failures++;
        },
      );
    }
  }

  /**
   * Bounds the cost: neither a hundred expensive schemas nor a chain of failing writes may occupy a request
   * for minutes.
   */
  private outcomeOf(schemaId: string, subjects: readonly JsonObject[]): Promise<Violation[][]> {
    const isTooMuch = this.failures >= MAX_FAILURES || this.disappointments >= MAX_DISAPPOINTMENTS;
    return isTooMuch ? Promise.reject(tooMuch()) : this.ask(schemaId, subjects);
  }

  /**
   * Refuses violations in the writer's own words; values written back as they were read are not their own
   * (rule 3.17).
   */
  private async refuseOwn(schemaId: string, own: OwnWords): Promise<void> {
    if (own.subject === null) return;
    const violations = await this.violations(schemaId, own.subject);
    const known = violations.filter(({ pointer }) => own.isOwn(pointer));
    if (known.length > 0) throw notFitting(known);
  }

  private schema(id: string, isStanding = this.standing.has(id)): Promise<ResolvedSchema> {
    const key = isStanding ? `${id} standing` : id;
    let resolved = this.resolved.get(key);
    if (resolved === undefined) {
      this.resolved.set(key, (resolved = this.schemas.resolve(this.access, id, isStanding)));
      // A statement can fail for a reason that no longer exists when its unit runs again.
      resolved.catch(() => this.resolved.delete(key));
    }
    return resolved;
  }

  private async violations(schemaId: string, subject: JsonObject): Promise<Violation[]> {
    const key = keyOf(schemaId, subject);
    const found = this.found.get(key);
    if (found !== undefined) return found;
    if (this.assumes || this.units.isOpen) {
      this.note(schemaId, subject);
      if (!this.assumes) throw UNANSWERED;
      return [];
    }
    const asked = this.ask(schemaId, [subject]).then(([violations]) => violations ?? []);
    this.found.set(key, asked);
    return asked;
  }

  private async ask(schemaId: string, subjects: readonly JsonObject[]): Promise<Violation[][]> {
    return this.schemas.violations(await this.schema(schemaId), subjects);
  }
}

const MAX_FAILURES = 3;
/** Rounds of questions in which a value was invalid. */
const MAX_DISAPPOINTMENTS = 10;
const UNANSWERED = new Error(
  'a unit of work has met a question about a schema that was not asked ahead of it',
);

/** Callers who leave `schema_id` out may not know that this needs a grant. */
const NEEDS_FREEFORM =
  'You may not write nodes without a schema: that needs `schemas.write` for `__freeform__`, requested and granted';

const tooMuch = (): DomainError => notFitting([{ pointer: '', message: 'validation took too long' }]);

const keyOf = (schemaId: string, subject: JsonObject): string => `${schemaId}\n${canonicalText(subject)}`;
