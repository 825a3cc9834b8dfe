import { Injectable } from '@nestjs/common';
import { type PageWithinBytes, pageWithinBytes } from '../../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Access } from '../../../privacy/index.js';
import { JsonSchemas } from '../application/json-schemas.service.js';
import { type JsonObject } from '../../common/index.js';
import { isSystem, type Schema } from '../domain/schema.js';
import { type ListedSchema, type SchemaPage, SchemasQueries } from '../infrastructure/schemas.queries.js';
import { type SchemaDto } from './schemas.dto.js';

export interface Shown {
  includeJsonSchema: boolean;
  resolve?: boolean;
}

/** Presents schemas; owner and parent as far as the caller may know them. */
@Injectable()
export class SchemaPages {
  constructor(
    private readonly queries: SchemasQueries,
    private readonly jsonSchemas: JsonSchemas,
  ) {}

  /** @throws SCHEMA_NOT_FOUND, SCHEMA_CYCLE when a schema to resolve cannot be resolved */
  async one(
    access: Access,
    schema: Schema,
    { includeJsonSchema, resolve = false }: Shown,
  ): Promise<SchemaDto> {
    const [shown] = (await this.many(access, [schema], { includeJsonSchema })) as [SchemaDto];
    if (!resolve || schema.extends === null) return shown;
    const { jsonSchema, parents } = await this.jsonSchemas.resolveDraft(access, schema);
    return {
      ...shown,
      ...(includeJsonSchema ? { json_schema: jsonSchema } : {}),
      parents: parents.map(({ id, name, schema_uri, version }) => ({ id, name, schema_uri, version })),
    };
  }

  page(
    access: Access,
    { limit, offset, includeJsonSchema }: Room & Shown,
    read: (room: Room & Shown) => Promise<SchemaPage>,
  ): Promise<PageWithinBytes<SchemaDto>> {
    return pageWithinBytes<ListedSchema, SchemaDto>({
      limit,
      offset,
      read: async (room) => {
        const { schemas: rows, total } = await read({ ...room, includeJsonSchema });
        return { rows, total };
      },
      show: (schemas) => this.many(access, schemas, { includeJsonSchema }),
      isWhole: () => false,
    });
  }

  private async many(
    access: Access,
    schemas: readonly ListedSchema[],
    { includeJsonSchema }: Shown,
  ): Promise<SchemaDto[]> {
    const parents = schemas.flatMap((schema) => schema.extends ?? []);
    const known = await this.queries.visible(access, [...new Set(parents)]);
    return schemas.map((schema) => ({
      ...presented(access, schema),
      extends: schema.extends !== null && known.has(schema.extends) ? schema.extends : null,
      ...(includeJsonSchema ? { json_schema: schema.json_schema } : {}),
    }));
  }
}

function presented(access: Access, schema: ListedSchema): SchemaDto & JsonObject {
  const { created_at, updated_at, ...record } = schema;
  const isOwn = schema.owner_id === access.ownerId;
  const isTheirs = schema.created_by_app_id === access.actor.appId && (isOwn || !access.isUserKey);
  const wire = {
    ...record,
    owner: isSystem(schema) ? ('system' as const) : ('user' as const),
    owner_id: isOwn ? schema.owner_id : null,
    created_by_app_id: (isOwn && access.isOwner) || isTheirs ? schema.created_by_app_id : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
  return Object.fromEntries(
    Object.entries(wire).filter(([field]) => !LEFT_OUT.includes(field)),
  ) as typeof wire & JsonObject;
}

const LEFT_OUT = ['json_schema', 'deleted_at'];
