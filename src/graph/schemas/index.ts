export {
  JsonSchemas,
  notFitting,
  type ResolvedSchema,
  schemaNotFound,
} from './application/json-schemas.service.js';
export { isSchemaUri, subjectOf } from './domain/schema.js';
export { SchemasQueries } from './infrastructure/schemas.queries.js';
export { SchemasModule } from './schemas.module.js';
