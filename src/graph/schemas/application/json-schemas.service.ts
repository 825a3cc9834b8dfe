import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { isId } from '../../../kernel/ids.js';
import { rest, workerNow } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';
import { type JsonObject } from '../../common/index.js';
import { inherited } from '../domain/schema-inheritance.js';
import { refuseOversize, type Schema, SCHEMA_LIMITS } from '../domain/schema.js';
import {
  JsonSchemaWorkers,
  type Violation,
  type SchemaOutcome,
  type SchemaTask,
  ValidationUnavailable,
} from '../../../libs/json-schema/workers.js';
import { type SchemaChain, SchemasQueries } from '../infrastructure/schemas.queries.js';

/** A schema with everything that it inherits, ready for validation. */
export interface ResolvedSchema {
  schema: Schema;
  /** Nearest first. */
  parents: Schema[];
  jsonSchema: JsonObject;
}

/**
 * The meaning of schemas: inheritance and validation (rules 5.3 to 5.5). No part of a schema runs in this
 * thread.
 */
@Injectable()
export class JsonSchemas {
  constructor(
    private readonly queries: SchemasQueries,
    private readonly workers: JsonSchemaWorkers,
  ) {}

  /**
   * A schema that the caller can see, deleted or not, with its parents at their latest versions.
   * @param isStanding true for the current schema of a node: its owner may change the node though an app
   * has given it the app's own schema
   * @throws SCHEMA_NOT_FOUND when it or one above it does not exist for the caller, SCHEMA_CYCLE
   */
  async resolve(access: Access, id: string, isStanding = false): Promise<ResolvedSchema> {
    const { levels } = SCHEMA_LIMITS;
    const chain = isId(id) ? await this.queries.chain(access, id, { levels, isStanding }) : NOTHING;
    return resolved(chain, 'schema_id');
  }

  /**
   * An unsaved schema below its parents.
   * @throws SCHEMA_NOT_FOUND, SCHEMA_CYCLE
   */
  async resolveDraft(access: Access, draft: Schema): Promise<ResolvedSchema> {
    if (draft.extends === null) return resolved({ schemas: [draft], broken: null }, 'extends');
    const levels = SCHEMA_LIMITS.levels - 1;
    const { schemas, broken } = await this.queries.chain(access, draft.extends, { levels });
    const meetsItself = schemas.some(({ id }) => id === draft.id);
    return resolved({ schemas: [draft, ...schemas], broken: meetsItself ? 'endless' : broken }, 'extends');
  }

  /**
   * The schema that would result if one of its parents were replaced by its next version; null when it
   * could not be resolved then, which may also be the case now.
   */
  async resolveBelow(access: Access, id: string, next: ResolvedSchema): Promise<ResolvedSchema | null> {
    const { schemas, broken } = await this.queries.chain(access, id, { levels: SCHEMA_LIMITS.levels });
    const place = schemas.findIndex((each) => each.id === next.schema.id);
    if (broken !== null || place < 1) return null;
    const below = [...schemas.slice(0, place), next.schema, ...next.parents];
    return resolved({ schemas: below, broken: null }, 'extends');
  }

  /** @throws INVALID_JSON_SCHEMA for an invalid one, and for one that is too expensive to check */
  async refuseInvalid({ schema, jsonSchema }: ResolvedSchema): Promise<void> {
    await this.refuseNone(schema.json_schema, jsonSchema);
  }

  /**
   * Checks a schema from an archive, which extends no other here.
   * @throws INVALID_JSON_SCHEMA
   */
  async refuseInvalidAlone(jsonSchema: JsonObject): Promise<void> {
    await this.refuseNone(jsonSchema, jsonSchema);
  }

  private async refuseNone(own: JsonObject, all: JsonObject): Promise<void> {
    refuseOversize(own);
    const [part, whole] = [JSON.stringify(own), JSON.stringify(all)];
    const task = { schema: whole, values: [], ...(part === whole ? {} : { part }) };
    const outcome = await this.run(task);
    if ('invalid' in outcome) throw invalid(outcome.invalid);
    if ('overBudget' in outcome) throw invalid(outcome.overBudget);
  }

  /**
   * The violations in each of the values.
   * @throws SCHEMA_VALIDATION_FAILED when that costs too much, INVALID_JSON_SCHEMA when a parent has made
   * the schema invalid
   */
  async violations(
    { jsonSchema }: Pick<ResolvedSchema, 'jsonSchema'>,
    values: readonly unknown[],
  ): Promise<Violation[][]> {
    const schema = JSON.stringify(jsonSchema);
    const violations: Violation[][] = [];
    for await (const texts of textsOfTasks(values)) {
      const outcome = await this.run({ schema, values: texts });
      if ('invalid' in outcome) throw invalid(outcome.invalid);
      if ('overBudget' in outcome) throw notFitting([{ pointer: '', message: outcome.overBudget }]);
      violations.push(...outcome.violations);
    }
    return violations;
  }

  /**
   * Runs a task in the turn of the person who is served: all apps of one developer share a turn for a user (rule 5.5c).
   * @throws SERVICE_UNAVAILABLE when no thread can take the task
   */
  private async run(task: SchemaTask): Promise<SchemaOutcome> {
    try {
      return await this.workers.run(workerNow(), task);
    } catch (error) {
      if (error instanceof ValidationUnavailable) throw new DomainError('SERVICE_UNAVAILABLE', error.message);
      throw error;
    }
  }
}

/** The values as JSON, as many as fill a task; others are served in between. */
async function* textsOfTasks(values: readonly unknown[]): AsyncGenerator<string[]> {
  let texts: string[] = [];
  let characters = 0;
  for (const value of values) {
    const text = JSON.stringify(value);
    texts.push(text);
    characters += text.length;
    if (characters >= TASK_CHARACTERS) {
      yield texts;
      texts = [];
      characters = 0;
    }
    await rest();
  }
  if (texts.length > 0) yield texts;
}

/** The length of values at which a task ends: about 10 ms of the event loop to serialize and to send. */
const TASK_CHARACTERS = 2 * 1024 * 1024;

const NOTHING: SchemaChain = { schemas: [], broken: 'invisible' };

/** @param field the field of the body that names the schema or its parents */
function resolved({ schemas, broken }: SchemaChain, field: 'schema_id' | 'extends'): ResolvedSchema {
  if (broken === 'endless') {
    const message = `A schema may not extend itself, nor inherit from more than ${SCHEMA_LIMITS.levels - 1} others`;
    throw new DomainError('SCHEMA_CYCLE', message);
  }
  const [schema, ...parents] = schemas;
  if (schema === undefined || broken === 'invisible') throw schemaNotFound(field);
  const jsonSchema = parents.reduceRight<JsonObject | null>(
    (above, { json_schema }) => (above === null ? json_schema : inherited(above, json_schema)),
    null,
  );
  return {
    schema,
    parents,
    jsonSchema: jsonSchema === null ? schema.json_schema : inherited(jsonSchema, schema.json_schema),
  };
}

const invalid = (message: string): DomainError =>
  new DomainError('INVALID_JSON_SCHEMA', message, [{ field: 'json_schema', message }]);

/** The error for a write that names a schema which does not exist for the caller (rule 4.4). */
export const schemaNotFound = (field: 'schema_id' | 'extends'): DomainError =>
  DomainError.absent('SCHEMA_NOT_FOUND', 'Schema not found', [field]);

export function notFitting(violations: readonly Violation[]): DomainError {
  const details = violations.map(({ pointer, message }) => ({ field: pointer, message }));
  const text = violations.map(lineOf).join('; ');
  return new DomainError('SCHEMA_VALIDATION_FAILED', text.slice(0, 2_000), details);
}

/** `<pointer>: <message>` (rule 5.4). */
export const lineOf = ({ pointer, message }: Violation): string => `${pointer}: ${message}`;
