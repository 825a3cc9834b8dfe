import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { PrivacyModule } from '../../privacy/index.js';
import { CommonModule } from '../common/index.js';
import { ListsModule } from '../lists/index.js';
import { JsonSchemaWorkers } from '../../libs/json-schema/workers.js';
import { JsonSchemas } from './application/json-schemas.service.js';
import { SchemaImpact } from './application/schema-impact.js';
import { SchemasService } from './application/schemas.service.js';
import { SchemaPages } from './http/schema-pages.js';
import { SchemasController } from './http/schemas.controller.js';
import { SchemaLocator } from './http/schemas.locator.js';
import { SchemasQueries } from './infrastructure/schemas.queries.js';
import { SchemasRepository } from './infrastructure/schemas.repository.js';

/** Schemas (rules 5). */
@Module({
  imports: [IdentityModule, PrivacyModule, CommonModule, ListsModule],
  controllers: [SchemasController],
  providers: [
    SchemasService,
    SchemasRepository,
    SchemasQueries,
    SchemaLocator,
    SchemaPages,
    SchemaImpact,
    JsonSchemas,
    JsonSchemaWorkers,
  ],
  exports: [SchemasQueries, JsonSchemas],
})
export class SchemasModule {}
