import { Body, Controller, Delete, Get, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { StepUp } from '../../../identity/index.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { Located } from '../../../kernel/http/locators.js';
import { ifVersionMatches, setEtag } from '../../../kernel/http/preconditions.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { SchemasService } from '../application/schemas.service.js';
import { type Schema } from '../domain/schema.js';
import { SchemasQueries } from '../infrastructure/schemas.queries.js';
import { SchemaPages } from './schema-pages.js';
import { schemaAbsent } from '../../common/index.js';
import {
  ChangedSchemaDto,
  ChangeSchemaBody,
  ChangeSchemaQuery,
  CreateSchemaBody,
  SchemaByUriQuery,
  SchemaCategoriesDto,
  SchemaDto,
  SchemaQuery,
  SchemasDto,
  SchemasQuery,
  SchemaVersionsDto,
  SchemaVersionsQuery,
  ValidateBody,
  ValidationDto,
} from './schemas.dto.js';

const located = (verb: 'read' | 'edit') => ({
  callers: 'any' as const,
  resource: { kind: 'schema', param: 'schema_id', verb },
});

/** Schemas: reusable templates for `metadata.properties` (specification, Schema; rules 5). */
@ApiTags('Schemas')
@Controller('schemas')
export class SchemasController {
  constructor(
    private readonly schemas: SchemasService,
    private readonly queries: SchemasQueries,
    private readonly pages: SchemaPages,
    private readonly stepUp: StepUp,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create a schema',
    description:
      'Apps need `schemas.write` for any schema; the user owns the schemas that an app creates for them.',
    requires: { callers: 'any', permission: 'schemas.write' },
    status: 201,
    answers: SchemaDto,
    errors: ['INVALID_JSON_SCHEMA', 'SCHEMA_NOT_FOUND', 'SCHEMA_CYCLE', 'SCHEMA_URI_EXISTS'],
  })
  async create(
    @CurrentAccess() access: Access,
    @Body() body: CreateSchemaBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SchemaDto> {
    return this.shown(access, await this.schemas.create(access, body), response);
  }

  @Get()
  @Endpoint({
    summary: 'List the schemas that you can see, newest first',
    holdsNoSecret: true,
    description: "Lists public schemas, the service's own, and private ones of yours or of the calling app.",
    requires: { callers: 'any' },
    answers: SchemasDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: SchemasQuery): Promise<SchemasDto> {
    const { limit, offset, include_json_schema, used_by_me, ids, ...rest } = query;
    const filter = { ...rest, isUsed: used_by_me, ids: ids?.filter(isId) };
    const shown = { includeJsonSchema: include_json_schema };
    const { items: schemas, ...page } = await this.pages.page(access, { limit, offset, ...shown }, (room) =>
      this.queries.list(access, { filter, ...room }),
    );
    return { schemas, ...page };
  }

  // Placed before :schema_id, which would take the words for ids.
  @Get('categories')
  @Endpoint({
    summary: 'List the categories of the schemas that you can see',
    holdsNoSecret: true,
    description:
      "Lists categories of public schemas, of the service's own, and of private ones that the caller can see.",
    requires: { callers: 'any' },
    answers: SchemaCategoriesDto,
  })
  async categories(@CurrentAccess() access: Access): Promise<SchemaCategoriesDto> {
    return { categories: await this.queries.categories(access) };
  }

  @Get('uri/*schema_uri')
  @Endpoint({
    summary: 'Get a schema or an old version of it by its URI',
    holdsNoSecret: true,
    description:
      'Answers with the newest version unless another is requested. A private schema of another user reads as absent.',
    requires: { callers: 'any', resource: { kind: 'schema uri', param: 'schema_uri', verb: 'read' } },
    answers: SchemaDto,
  })
  async byUri(
    @CurrentAccess() access: Access,
    @Located('schema uri') schema: Schema,
    @Query() { version }: SchemaByUriQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SchemaDto> {
    const found = version === undefined ? schema : await this.versionOf(access, schema, version);
    return this.shown(access, found, response);
  }

  @Get(':schema_id')
  @Endpoint({
    summary: 'Get a schema',
    holdsNoSecret: true,
    description: 'Answers with the newest version. A private schema of another user reads as absent.',
    requires: located('read'),
    answers: SchemaDto,
    errors: ['SCHEMA_NOT_FOUND', 'SCHEMA_CYCLE'],
  })
  get(
    @CurrentAccess() access: Access,
    @Located('schema') schema: Schema,
    @Query() { resolve, include_json_schema }: SchemaQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SchemaDto> {
    setEtag(response, schema.version);
    return this.pages.one(access, schema, { resolve, includeJsonSchema: include_json_schema });
  }

  @Get(':schema_id/versions')
  @Endpoint({
    summary: 'List the versions of a schema',
    holdsNoSecret: true,
    description: 'For a schema that the caller can see, newest first.',
    requires: located('read'),
    answers: SchemaVersionsDto,
  })
  async versions(
    @CurrentAccess() access: Access,
    @Located('schema') { id }: Schema,
    @Query() { include_json_schema, limit, offset }: SchemaVersionsQuery,
  ): Promise<SchemaVersionsDto> {
    const shown = { includeJsonSchema: include_json_schema };
    const { items: versions, ...page } = await this.pages.page(access, { limit, offset, ...shown }, (room) =>
      this.queries.versions(access, { id, ...room }),
    );
    return { versions, ...page };
  }

  @Put(':schema_id')
  @Endpoint({
    summary: 'Change a schema',
    description:
      'Makes a new version, unless nothing changes. Nodes keep the version they were validated against until their metadata or schema changes. For the owner, and the app that created it. Showing a schema to more readers than before needs a log-in from the last five minutes.',
    requires: { ...located('edit'), stepUp: 'sometimes' },
    answers: ChangedSchemaDto,
    errors: [
      'INVALID_JSON_SCHEMA',
      'SCHEMA_NOT_FOUND',
      'SCHEMA_CYCLE',
      'SCHEMA_VALIDATION_FAILED',
      'PRECONDITION_FAILED',
    ],
  })
  async update(
    @CurrentAccess() access: Access,
    @Located('schema') schema: Schema,
    @Body() body: ChangeSchemaBody,
    @Query() { dry_run }: ChangeSchemaQuery,
    @Req() request: Request,
  ): Promise<ChangedSchemaDto> {
    const confirm = this.stepUp.confirmation(request);
    const edit = { body, isDryRun: dry_run, precondition: ifVersionMatches(request), confirm };
    const { schema: changed, violations } = await this.schemas.update(access, schema, edit);
    // A dry run shows no stored version that an If-Match could name.
    if (!dry_run) setEtag(request.res as Response, changed.version);
    const shown = await this.pages.one(access, changed, { includeJsonSchema: true });
    return { ...shown, invalid_nodes: violations.count, invalid_node_ids: violations.sample };
  }

  @Delete(':schema_id')
  @Endpoint({
    summary: 'Delete a schema',
    description: 'Nodes and schemas that refer to it keep it; new ones cannot refer to it.',
    requires: located('edit'),
    status: 204,
    errors: ['PRECONDITION_FAILED'],
  })
  async delete(
    @CurrentAccess() access: Access,
    @Located('schema') schema: Schema,
    @Req() request: Request,
  ): Promise<void> {
    await this.schemas.delete(access, schema, ifVersionMatches(request));
  }

  @Post(':schema_id/validate')
  @Endpoint({
    summary: 'Validate metadata against a schema',
    description:
      'Nothing is stored. `metadata.properties` is validated if it is an object, otherwise `metadata` itself.',
    requires: located('read'),
    reads: true,
    holdsNoSecret: true,
    answers: ValidationDto,
    errors: ['SCHEMA_VALIDATION_FAILED', 'INVALID_JSON_SCHEMA', 'SCHEMA_NOT_FOUND', 'SCHEMA_CYCLE'],
  })
  async validate(
    @CurrentAccess() access: Access,
    @Located('schema') schema: Schema,
    @Body() { metadata }: ValidateBody,
  ): Promise<ValidationDto> {
    const errors = await this.schemas.validate(access, schema, metadata);
    return { valid: errors.length === 0, errors };
  }

  private async versionOf(access: Access, { id }: Schema, version: number): Promise<Schema> {
    const found = await this.queries.version(access, { id, version });
    if (found === null) throw schemaAbsent();
    return found;
  }

  private shown(access: Access, schema: Schema, response: Response): Promise<SchemaDto> {
    setEtag(response, schema.version);
    return this.pages.one(access, schema, { includeJsonSchema: true });
  }
}
