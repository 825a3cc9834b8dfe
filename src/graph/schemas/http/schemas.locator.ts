import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { Locators } from '../../../kernel/http/locators.js';
import { isId } from '../../../kernel/ids.js';
import { isStorable } from '../../../kernel/storable.js';
import { accessOf } from '../../../privacy/index.js';
import { refuseForeign } from '../application/schemas.service.js';
import { type Schema } from '../domain/schema.js';
import { SchemasQueries } from '../infrastructure/schemas.queries.js';
import { schemaAbsent } from '../../common/index.js';

const MAX_URI = 500;

/** Locates `:schema_id` for the verbs `read` and `edit` (rule 5.6), and a schema by its URI for `read`. */
@Injectable()
export class SchemaLocator implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly schemas: SchemasQueries,
  ) {}

  onModuleInit(): void {
    this.locators.register('schema', ['read', 'edit'], (request, id, verb) => this.byId(request, id, verb));
    this.locators.register('schema uri', ['read'], (request, uri) => this.byUri(request, uri));
  }

  private async byId(request: Request, id: string, verb: 'read' | 'edit'): Promise<Schema> {
    const access = accessOf(request);
    const schema = isId(id) ? await this.schemas.find(access, id) : null;
    if (schema === null) throw schemaAbsent();
    if (verb !== 'read') refuseForeign(access, schema);
    return schema;
  }

  private async byUri(request: Request, uri: string): Promise<Schema> {
    const isPossible = uri.length <= MAX_URI && isStorable(uri);
    const schema = isPossible ? await this.schemas.findByUri(accessOf(request), uri) : null;
    if (schema === null) throw schemaAbsent();
    return schema;
  }
}
