import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { canonicalText, isObject, isSame } from '../../kernel/json-values.js';
import { type Access, maySchema } from '../../privacy/index.js';
import { mergePatch } from '../domain/json-values.js';
import { type Node } from '../domain/node.js';
import { type JsonObject, type NodeFields } from '../domain/node-record.js';
import { shownOf } from '../domain/node-view.js';
import { subjectOf } from '../domain/schema.js';
import { type Misfit } from '../infrastructure/json-schema-workers.js';
import { JsonSchemas, notFitting, type ResolvedSchema, schemaNotFound } from './json-schemas.service.js';

/** What a write sends of a node, as it was sent, and what it means. */
export interface SchemaChange {
  sent: { metadata?: unknown };
  merge: boolean;
  fields: Partial<NodeFields>;
}

/** Holds nodes against their schemas (decisions 3.10, 4.4). */
@Injectable()
export class NodeSchemas {
  constructor(private readonly schemas: JsonSchemas) {}

  /** For the nodes of one write. */
  checks(access: Access): SchemaChecks {
    return new SchemaChecks(access, this.schemas);
  }
}

/**
 * The checks of one write. What was found out is remembered, so that a unit of work that asks again what was asked
 * ahead of it waits neither for a validation nor for a statement while it holds locks.
 */
export class SchemaChecks {
  private readonly resolved = new Map<string, Promise<ResolvedSchema>>();
  private readonly found = new Map<string, Promise<Misfit[]>>();

  constructor(
    private readonly access: Access,
    private readonly schemas: JsonSchemas,
  ) {}

  /**
   * A schema that a write gives to a node must exist for the caller and be granted; null stands for `__freeform__`.
   * @throws SCHEMA_NOT_FOUND, PERMISSION_DENIED
   */
  async refuse(schemaId: string | null): Promise<void> {
    if (schemaId !== null) {
      const { schema } = await this.schema(schemaId);
      if (schema.deleted_at !== null) throw schemaNotFound();
    }
    if (!maySchema(this.access, 'write', schemaId)) {
      throw new DomainError('PERMISSION_DENIED', 'You may not write nodes with this schema');
    }
  }

  /**
   * @returns the version that the metadata of a new node was held against
   * @throws SCHEMA_VALIDATION_FAILED
   */
  async ofNew({ schema_id, metadata }: Partial<NodeFields>): Promise<number | null> {
    if (schema_id === null || schema_id === undefined) return null;
    const misfits = await this.misfits(schema_id, metadata);
    if (misfits.length > 0) throw notFitting(misfits);
    return (await this.schema(schema_id)).schema.version;
  }

  /**
   * The same for a change. Who is not shown the metadata as it is stored is judged by what he can know: by what he is
   * shown and sends. Else a schema of his own would ask the hidden part any question (decisions 3.16). Then the version
   * is kept only if the whole fits, too.
   * @returns undefined when neither schema nor metadata change
   * @throws SCHEMA_NOT_FOUND when the node's schema is no longer there for the caller, SCHEMA_VALIDATION_FAILED
   */
  async ofChange(node: Node, change: SchemaChange): Promise<number | null | undefined> {
    const { fields } = change;
    const { schema_id = node.record.schema_id, metadata = node.record.metadata } = fields;
    if (schema_id === node.record.schema_id && isSame(metadata, node.record.metadata)) return undefined;
    if (schema_id === null) return null;
    if (!this.access.exposure.touches('metadata')) return this.ofNew({ schema_id, metadata });
    const { schema } = await this.schema(schema_id);
    const misfits = await this.knownMisfits(node, schema_id, change);
    if (misfits.length > 0) throw notFitting(misfits);
    const hidden = await this.misfits(schema_id, metadata).catch(refused);
    return hidden.length === 0 ? schema.version : null;
  }

  /** Asks ahead for many new nodes: one validation for each schema. What is wrong is told when they are asked for. */
  async ahead(nodes: readonly Partial<NodeFields>[]): Promise<void> {
    const bySchema = new Map<string, JsonObject[]>();
    for (const { schema_id, metadata } of nodes) {
      if (schema_id) bySchema.set(schema_id, [...(bySchema.get(schema_id) ?? []), subjectOf(metadata)]);
    }
    let failures = 0;
    for (const [id, subjects] of bySchema) {
      // Somebody's hundred hard schemas must not keep a request for minutes.
      const outcome = failures < MAX_FAILURES ? this.ask(id, subjects) : Promise.reject(tooMuch());
      subjects.forEach((subject, index) => {
        const own = outcome.then((misfits) => misfits[index] ?? []);
        own.catch(() => undefined);
        this.found.set(keyOf(id, subject), own);
      });
      await outcome.catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'SCHEMA_VALIDATION_FAILED') failures++;
      });
    }
  }

  /** About the parts that the caller sends and that are not what he is shown there anyway (decisions 3.17). */
  private async knownMisfits(node: Node, schemaId: string, { sent, merge }: SchemaChange): Promise<Misfit[]> {
    if (!isObject(sent.metadata)) return [];
    const shown = shownOf(this.access, node.record)['metadata'];
    const meant = (merge ? mergePatch(shown, sent.metadata) : sent.metadata) as JsonObject;
    const own = subjectOf(mergePatch({}, sent.metadata) as JsonObject);
    const before = isObject(shown) ? subjectOf(shown) : {};
    const misfits = await this.misfits(schemaId, meant);
    return misfits.filter(({ pointer }) => {
      const [written, read] = [valueAt(own, pointer), valueAt(before, pointer)];
      return pointer !== '' && written !== undefined && !isSame(written, read);
    });
  }

  private schema(id: string): Promise<ResolvedSchema> {
    let resolved = this.resolved.get(id);
    if (resolved === undefined) this.resolved.set(id, (resolved = this.schemas.resolve(this.access, id)));
    return resolved;
  }

  private misfits(schemaId: string, metadata: JsonObject | null | undefined): Promise<Misfit[]> {
    const subject = subjectOf(metadata);
    const key = keyOf(schemaId, subject);
    let found = this.found.get(key);
    if (found === undefined) {
      found = this.ask(schemaId, [subject]).then(([misfits]) => misfits ?? []);
      this.found.set(key, found);
    }
    return found;
  }

  private async ask(schemaId: string, subjects: readonly JsonObject[]): Promise<Misfit[][]> {
    return this.schemas.misfits(this.access, await this.schema(schemaId), subjects);
  }
}

const MAX_FAILURES = 3;

const tooMuch = (): DomainError => notFitting([{ pointer: '', message: 'validation took too long' }]);

const keyOf = (schemaId: string, subject: JsonObject): string => `${schemaId}\n${canonicalText(subject)}`;

/** Whatever is wrong with the hidden part is not told. */
function refused(error: unknown): Misfit[] {
  if (error instanceof DomainError && error.status === 400) return [{ pointer: '', message: error.code }];
  throw error;
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}
