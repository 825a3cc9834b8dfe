import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { canonicalText, isSame } from '../../kernel/json-values.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { type Access, maySchema } from '../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { type JsonObject, type NodeFields } from '../domain/node-record.js';
import { type OwnWords } from '../domain/own-words.js';
import { subjectOf } from '../domain/schema.js';
import { type Misfit } from '../infrastructure/json-schema-workers.js';
import { JsonSchemas, notFitting, type ResolvedSchema, schemaNotFound } from './json-schemas.service.js';

/** What a write makes of a node. */
export interface SchemaChange {
  fields: Partial<NodeFields>;
  /** Of a writer who is not shown all of the metadata: they are judged by these alone. Null: by the whole. */
  own: OwnWords | null;
}

/** Holds nodes against their schemas (rules 3.10, 4.4). */
@Injectable()
export class NodeSchemas {
  constructor(
    private readonly schemas: JsonSchemas,
    private readonly units: UnitOfWork,
  ) {}

  /** For the nodes of one write. */
  checks(access: Access): SchemaChecks {
    return new SchemaChecks(access, this.schemas, this.units);
  }

  /** One unit of work around many writes, which never waits for a look at a schema while it holds locks. */
  unit<T>(access: Access, work: (checks: SchemaChecks) => Promise<T>): Promise<T> {
    const checks = this.checks(access);
    return checks.unit(() => work(checks));
  }
}

/** Subjects that are to be held against a schema, by what they are remembered by. */
type Questions = Map<string, JsonObject>;

/**
 * The checks of one write. What was found out is remembered, so that a unit of work that asks again what was asked
 * ahead of it waits neither for a validation nor for a statement. While it is open nobody is asked: that would be
 * waiting for a stranger's schema with a connection and locks in hand.
 */
export class SchemaChecks {
  private readonly resolved = new Map<string, Promise<ResolvedSchema>>();
  /** Ids of schemas that nodes have already. */
  private readonly standing = new Set<string>();
  private readonly found = new Map<string, Promise<Misfit[]>>();
  /** By schema: what a unit of work needed to know. */
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
   * One unit of work around many writes. Whatever it needs to know of schemas is assumed to be well at first: then it
   * is taken back, and begins anew when the answers are there.
   */
  unit<T>(work: () => Promise<T>): Promise<T> {
    return this.anew(() => this.units.run(() => this.assuming(work)));
  }

  /** Units of work that are begun anew when they end with a question. */
  async anew<T>(work: () => Promise<T>): Promise<T> {
    // A part of somebody's unit cannot wait: he does.
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
   * A schema that a write gives to a node must exist for the caller and be granted; null stands for `__freeform__`.
   * @throws SCHEMA_NOT_FOUND, PERMISSION_DENIED
   */
  async refuse(schemaId: string | null): Promise<void> {
    if (schemaId !== null) {
      const { schema } = await this.schema(schemaId, false);
      if (schema.deleted_at !== null) throw schemaNotFound('schema_id');
    }
    this.refuseUngranted(schemaId);
  }

  /** The part of it that knows at once: all of it for a node without a schema. */
  refuseUngranted(schemaId: string | null): void {
    if (!maySchema(this.access, 'write', schemaId)) {
      const message = schemaId === null ? NEEDS_FREEFORM : 'You may not write nodes with this schema';
      throw new DomainError('PERMISSION_DENIED', message);
    }
  }

  /**
   * @returns the version that the metadata of a new node was held against
   * @throws SCHEMA_VALIDATION_FAILED
   */
  async ofNew({ schema_id, metadata }: Partial<NodeFields>): Promise<number | null> {
    if (schema_id === null || schema_id === undefined) return null;
    const misfits = await this.misfits(schema_id, subjectOf(metadata));
    if (misfits.length > 0) throw notFitting(misfits);
    return (await this.schema(schema_id)).schema.version;
  }

  /**
   * The same for a change. A writer who is not shown the metadata as it is stored is judged by their own words; the rest
   * is looked at neither now nor behind their back, for a schema of their own would ask it any question, and the time of
   * the answer would be one, too (rule 3.16). Whether the whole fits is then not known, until somebody writes who is
   * shown it.
   * @returns undefined when neither schema nor metadata change
   * @throws SCHEMA_NOT_FOUND when the node's schema is no longer there for the caller, SCHEMA_VALIDATION_FAILED
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

  /** Asks ahead for many new nodes: one validation for each schema. What is wrong is told when they are asked for. */
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

  /** One validation for each schema. */
  private async answer(): Promise<void> {
    const before = this.disappointments;
    for (const [schemaId, questions] of this.open) {
      const outcome = this.outcomeOf(schemaId, [...questions.values()]);
      [...questions.keys()].forEach((key, index) => {
        const own = outcome.then((misfits) => misfits[index] ?? []);
        own.catch(() => undefined);
        this.found.set(key, own);
      });
      this.open.delete(schemaId);
      await outcome.then(
        (misfits) => {
          if (misfits.some((those) => those.length > 0)) this.disappointments = before + 1;
        },
        (error: unknown) => {
          if (!(error instanceof DomainError) || error.status >= 500) throw error;
          this.disappointments = before + 1;
          if (error.code === 'SCHEMA_VALIDATION_FAILED') this.failures++;
        },
      );
    }
  }

  /** Somebody's hundred hard schemas must not keep a request for minutes, nor a chain of writes that fail in turn. */
  private outcomeOf(schemaId: string, subjects: readonly JsonObject[]): Promise<Misfit[][]> {
    const isTooMuch = this.failures >= MAX_FAILURES || this.disappointments >= MAX_DISAPPOINTMENTS;
    return isTooMuch ? Promise.reject(tooMuch()) : this.ask(schemaId, subjects);
  }

  /** What comes back as it was read is not the writer's own (rule 3.17). */
  private async refuseOwn(schemaId: string, own: OwnWords): Promise<void> {
    if (own.subject === null) return;
    const misfits = await this.misfits(schemaId, own.subject);
    const known = misfits.filter(({ pointer }) => own.isOwn(pointer));
    if (known.length > 0) throw notFitting(known);
  }

  private schema(id: string, isStanding = this.standing.has(id)): Promise<ResolvedSchema> {
    const key = isStanding ? `${id} standing` : id;
    let resolved = this.resolved.get(key);
    if (resolved === undefined) {
      this.resolved.set(key, (resolved = this.schemas.resolve(this.access, id, isStanding)));
      // A statement can fail for a reason that is gone when its unit is begun anew.
      resolved.catch(() => this.resolved.delete(key));
    }
    return resolved;
  }

  private async misfits(schemaId: string, subject: JsonObject): Promise<Misfit[]> {
    const key = keyOf(schemaId, subject);
    const found = this.found.get(key);
    if (found !== undefined) return found;
    if (this.units.isOpen) {
      this.note(schemaId, subject);
      if (!this.assumes) throw UNANSWERED;
      return [];
    }
    const asked = this.ask(schemaId, [subject]).then(([misfits]) => misfits ?? []);
    this.found.set(key, asked);
    return asked;
  }

  private async ask(schemaId: string, subjects: readonly JsonObject[]): Promise<Misfit[][]> {
    return this.schemas.misfits(this.access, await this.schema(schemaId), subjects);
  }
}

const MAX_FAILURES = 3;
/** Rounds of questions in which something did not fit. */
const MAX_DISAPPOINTMENTS = 10;
const UNANSWERED = new Error(
  'a unit of work has met a question about a schema that was not asked ahead of it',
);

/** Nobody who leaves `schema_id` out thinks of a schema. */
const NEEDS_FREEFORM =
  'You may not write nodes without a schema: that needs `schemas.write` for `__freeform__`, requested and granted';

const tooMuch = (): DomainError => notFitting([{ pointer: '', message: 'validation took too long' }]);

const keyOf = (schemaId: string, subject: JsonObject): string => `${schemaId}\n${canonicalText(subject)}`;
