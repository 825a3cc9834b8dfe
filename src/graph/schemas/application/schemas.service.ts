import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { Injectable } from '@nestjs/common';
import { type ConfirmRights } from '../../../identity/index.js';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { jsonBytes } from '../../../kernel/json/json-size.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access, Accesses } from '../../../privacy/index.js';
import { type JsonObject, schemaAbsent } from '../../common/index.js';
import {
  changeSchema,
  deletedSchema,
  generatedUri,
  isSystem,
  newSchema,
  readersRights,
  refuseOversize,
  type Schema,
  type SchemaFields,
  SCHEMA_LIMITS,
  schemaRecord,
  subjectOf,
} from '../domain/schema.js';
import { SchemasQueries } from '../infrastructure/schemas.queries.js';
import { SchemasRepository } from '../infrastructure/schemas.repository.js';
import { JsonSchemas, lineOf, type ResolvedSchema, schemaNotFound } from './json-schemas.service.js';
import { type InvalidNodes, SchemaImpact } from './schema-impact.js';

/** The sent fields of a schema: absent stays, null clears. */
type SchemaBody = { [F in keyof SchemaFields]?: SchemaFields[F] | null };
export type NewSchemaBody = SchemaBody & {
  name: string;
  json_schema: JsonObject;
  schema_uri?: string | null;
};

/** Throws PRECONDITION_FAILED when the schema's version is not the one in If-Match. */
export type SchemaPrecondition = (schema: Schema) => void;

export interface SchemaEdit {
  body: SchemaBody;
  precondition: SchemaPrecondition;
  /** True to compute the effects of the change without saving it. */
  isDryRun: boolean;
  /** Called when others come to see more of the schema than before. */
  confirm: ConfirmRights;
}

/** A schema after a change, and the owner's nodes that would no longer conform. */
export interface ChangedSchema {
  schema: Schema;
  violations: InvalidNodes;
}

/** A pending change: the version before, and the one after. */
interface Step {
  before: Schema;
  after: Schema;
  changed: ChangedFields;
  /** The ids of the schemas above it after the change, if that gives it another parent. */
  above: readonly string[];
}

/**
 * Writes to schemas (section 5 of the rules). Strangers' schemas are checked before a unit of work begins,
 * because it must not hold a connection while it waits.
 */
@Injectable()
export class SchemasService {
  constructor(
    private readonly schemas: SchemasRepository,
    private readonly queries: SchemasQueries,
    private readonly jsonSchemas: JsonSchemas,
    private readonly impact: SchemaImpact,
    private readonly accesses: Accesses,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws SCHEMA_URI_EXISTS, SCHEMA_NOT_FOUND, SCHEMA_CYCLE, INVALID_JSON_SCHEMA, VALIDATION_ERROR */
  async create(access: Access, { schema_uri, ...body }: NewSchemaBody): Promise<Schema> {
    const given = fieldsOf(access, body) as NewSchemaBody & SchemaFields;
    const { appId } = access.actor;
    const birth = { owner_id: access.ownerId, id: newId(), created_by_app_id: appId, at: this.clock.now() };
    const draft = newSchema({ ...birth, schema_uri: schema_uri ?? '' }, given);
    await this.refuseUnfit(access, draft, null);
    return this.units.run(async () => {
      const schema = await this.insert(draft, schema_uri ?? null, appId);
      this.record(schema, 'created');
      return schema;
    });
  }

  /**
   * Replaces the sent fields in the next version. A change without effect makes none.
   * @throws NOT_FOUND, PERMISSION_DENIED, PRECONDITION_FAILED, SCHEMA_NOT_FOUND, SCHEMA_CYCLE,
   * INVALID_JSON_SCHEMA, VALIDATION_ERROR; what `confirm` throws
   */
  async update(access: Access, located: Schema, edit: SchemaEdit): Promise<ChangedSchema> {
    const given = fieldsOf(access, edit.body);
    await this.refuseRevoked(access, located);
    for (let before = located; ; before = await this.current(access, located.id)) {
      edit.precondition(before);
      const meant = await this.unmaskWrite(access, before, given);
      const next = changeSchema(before, meant, this.clock.now());
      if (next === null) return { schema: before, violations: { count: 0, sample: [] } };
      const { schema: after, changed } = next;
      const isOther = 'json_schema' in changed || 'extends' in changed;
      const resolved = isOther ? await this.refuseUnfit(access, after, before) : null;
      const violations = resolved ? await this.impact.of(access, before, resolved) : { count: 0, sample: [] };
      const above = 'extends' in changed && resolved ? idsOf(resolved) : [];
      const step: Step = { before, after, changed, above };
      if (edit.isDryRun || (await this.save(access, step, edit.confirm)))
        return { schema: after, violations };
      // Another write was faster: the change is decided again on the new state.
    }
  }

  /** @throws NOT_FOUND, PERMISSION_DENIED, PRECONDITION_FAILED */
  async delete(access: Access, located: Schema, precondition: SchemaPrecondition): Promise<void> {
    await this.refuseRevoked(access, located);
    await this.units.run(async () => {
      const schema = await this.schemas.lock(located.owner_id, located.id);
      if (schema === null) throw schemaAbsent();
      refuseForeign(access, schema);
      precondition(schema);
      const gone = deletedSchema(schema, this.clock.now());
      await this.schemas.update(gone);
      this.record(gone, 'deleted');
    });
  }

  /**
   * The violations of some metadata, one line each (rule 5.4).
   * @throws SCHEMA_NOT_FOUND, SCHEMA_CYCLE, SCHEMA_VALIDATION_FAILED when validation costs too much
   */
  async validate(access: Access, schema: Schema, metadata: JsonObject): Promise<string[]> {
    const resolved = await this.jsonSchemas.resolve(access, schema.id);
    const [violations = []] = await this.jsonSchemas.violations(resolved, [subjectOf(metadata)]);
    return violations.map(lineOf);
  }

  /**
   * Refuses an app without an authorization by the schema's owner. A schema belongs to a graph, and its
   * changes are written to that owner's log: an app that acts for another person needs the owner's consent,
   * and loses it with the authorization (rule 5.6).
   */
  private async refuseRevoked({ actor, ownerId }: Access, { owner_id }: Schema): Promise<void> {
    if (actor.type !== 'app' || actor.appId === null || owner_id === ownerId) return;
    const granted = await this.accesses.ofAbsentApp(actor.appId, owner_id);
    if (granted?.permissions.has('schemas.write') !== true) throw foreign();
  }

  /**
   * @throws SCHEMA_NOT_FOUND for a parent that does not exist for the caller, SCHEMA_CYCLE,
   * INVALID_JSON_SCHEMA
   */
  private async refuseUnfit(access: Access, draft: Schema, before: Schema | null): Promise<ResolvedSchema> {
    refuseOversize(draft.json_schema);
    const { extends: parent } = draft;
    const isNew = parent !== null && parent !== before?.extends;
    // Deleted schemas still serve those that extend them, but no new schema can extend them.
    if (isNew && (!isId(parent) || (await this.queries.find(access, parent)) === null))
      throw schemaNotFound('extends');
    const resolved = await this.jsonSchemas.resolveDraft(access, draft);
    await this.jsonSchemas.refuseInvalid(resolved);
    return resolved;
  }

  /**
   * @returns false when the version, or what is above the new parent, has changed since the step began: nothing was
   *   written
   */
  private save(
    access: Access,
    { before, after, changed, above }: Step,
    confirm: ConfirmRights,
  ): Promise<boolean> {
    return this.units.run(async () => {
      if (above.length > 0) await this.schemas.lockInheritance(after.id, above);
      const locked = await this.schemas.lock(before.owner_id, before.id);
      if (locked === null) throw schemaAbsent();
      if (locked.version !== before.version) return false;
      if (above.length > 0) {
        const now = idsOf(await this.jsonSchemas.resolveDraft(access, after));
        if (!now.every((id) => above.includes(id))) return false;
      }
      await confirm(readersRights(locked), readersRights(after));
      await this.schemas.update(after);
      this.record(after, 'updated', changed);
      return true;
    });
  }

  /**
   * Restores a parent that the caller cannot see: it reads as null, and stays when null is written back
   * (rule 3.17).
   */
  private async unmaskWrite(
    access: Access,
    { extends: parent }: Schema,
    given: Partial<SchemaFields>,
  ): Promise<Partial<SchemaFields>> {
    if (given.extends !== null || parent === null) return given;
    const isShown = (await this.queries.visible(access, [parent])).has(parent);
    return isShown ? given : { ...given, extends: parent };
  }

  private async current(access: Access, id: string): Promise<Schema> {
    const schema = await this.queries.find(access, id);
    if (schema === null) throw schemaAbsent();
    refuseForeign(access, schema);
    return schema;
  }

  /** Inserts a schema; a number makes a generated URI unique (rule 5.2). */
  private async insert(draft: Schema, uri: string | null, appId: string | null): Promise<Schema> {
    if (uri !== null) {
      if (await this.schemas.insert(draft)) return draft;
      throw new DomainError('SCHEMA_URI_EXISTS', 'A schema with this URI already exists');
    }
    const by =
      appId === null ? { kind: 'user' as const, id: draft.owner_id } : { kind: 'app' as const, id: appId };
    const plain = generatedUri(draft.name, by);
    for (;;) {
      const taken = await this.schemas.urisLike(plain);
      let schema_uri = plain;
      for (let number = 2; taken.has(schema_uri); number++) schema_uri = `${plain}${number}`;
      const schema = { ...draft, schema_uri };
      if (await this.schemas.insert(schema)) return schema;
    }
  }

  private record(
    schema: Schema,
    action: 'created' | 'updated' | 'deleted',
    changedFields: ChangedFields | null = null,
  ): void {
    const { owner_id: ownerId, id: entityId, version } = schema;
    const snapshot = schemaRecord(schema);
    this.changes.append({ ownerId, entity: 'schema', entityId, action, version, changedFields, snapshot });
  }
}

/**
 * Refuses a change by others than the owner, or the app that created the schema while it acts for the
 * owner; a schema private to an app may be changed by that app for any user, though not with a user key
 * (rule 5.6); see also refuseRevoked.
 * @throws PERMISSION_DENIED
 */
export function refuseForeign(access: Access, schema: Schema): void {
  const { type, appId, userId } = access.actor;
  const isOwn =
    type === 'app'
      ? access.permissions.has('schemas.write') &&
        schema.created_by_app_id === appId &&
        (schema.owner_id === access.ownerId || (schema.private_to === 'app' && !access.isUserKey))
      : schema.owner_id === (userId ?? access.ownerId);
  if (isSystem(schema) || !isOwn) throw foreign();
}

const idsOf = ({ parents }: ResolvedSchema): string[] => parents.map(({ id }) => id);

const foreign = (): DomainError => new DomainError('PERMISSION_DENIED', 'You may not change this schema');

/** The sent fields of a body: null becomes the default where one exists. */
function fieldsOf(access: Access, body: SchemaBody): Partial<SchemaFields> {
  const errors: FieldError[] = [];
  for (const field of ['name', 'json_schema'] as const) {
    if (body[field] === null) errors.push({ field, message: 'must not be null' });
  }
  if (body.private_to === 'app' && access.actor.type !== 'app') {
    errors.push({ field: 'private_to', message: 'can be app only when an app asks for it' });
  }
  const metadata = body.schema_metadata;
  if (metadata && jsonBytes(metadata) > SCHEMA_LIMITS.metadataBytes) {
    const message = `must not be larger than ${SCHEMA_LIMITS.metadataBytes} bytes of JSON`;
    errors.push({ field: 'schema_metadata', message });
  }
  if (errors.length > 0) throw DomainError.validations(errors);
  const { scope, recommended_by_developer, extends: parent, ...rest } = body;
  return {
    ...(rest as Partial<SchemaFields>),
    ...(scope === undefined ? {} : { scope: scope ?? 'public' }),
    ...(recommended_by_developer === undefined
      ? {}
      : { recommended_by_developer: recommended_by_developer ?? false }),
    ...(parent === undefined ? {} : { extends: parent?.toLowerCase() ?? null }),
  };
}
