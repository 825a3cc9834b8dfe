import { createHash } from 'node:crypto';
import { type Actor } from '../../kernel/request-context.js';
import { type FieldExposure } from './exposure/field-exposure.js';
import { type Grants } from './granted.js';
import { grants, grantsSchemas, grantsTags, type SchemaGrant, type TagGrant } from './grants.js';
import { type NodeVerb } from './profile-visibility.js';
import { type AssigningVerb, TAG_VERBS, type TagVerb } from './profile-rules.js';
import { type TagVocabulary } from './tag-vocabulary.js';
import { FREEFORM, type Visibility } from './visibility.js';

/** What an endpoint can require of an app. `tags.create_new`: make tags that do not exist yet (decisions 4.15). */
export const PERMISSIONS = [
  ...TAG_VERBS.map((verb) => `tags.${verb}` as const),
  'tags.create_new',
  'files.read',
  'schemas.read',
  'schemas.write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Who acts on whose graph, and what reaches them: a value, made once by the guard. Queries and services take it as
 * their first parameter; nobody decides anew.
 */
export interface Access {
  /** Whose graph. */
  readonly ownerId: string;
  readonly actor: Actor;
  /** The authorization by which an app acts; absent for everybody else, and for what is only supposed. */
  readonly authorizationId?: string;
  /** The owner in person: no profile applies (decisions 1.12). */
  readonly isOwner: boolean;
  /** Somebody else's graph, as far as it is shared with the caller: not the caller's own, nor a group's. */
  readonly isReceived: boolean;
  /** Whether nodes that others share with the owner can come with it: it is the owner's own graph. */
  readonly receives: boolean;
  /** Equal keys mean equal decisions, now and later: what was computed for one may be kept for the other. */
  readonly key: string;
  /** Where the owner's change counter stood when the guard looked: younger than the request, not newer than the data. */
  readonly changes: number;
  /** Where the owner's policy counter stood when it was decided. */
  readonly policy: number;
  /** Which nodes a verb reaches. Propose, edit and delete are within read and within schemas.write. */
  readonly nodes: Readonly<Record<NodeVerb, Visibility>>;
  /** Effective; discover is already united with the other verbs (decisions 3.9). */
  readonly tags: Readonly<Record<TagVerb, TagGrant>>;
  readonly schemas: { readonly read: SchemaGrant; readonly write: SchemaGrant };
  /** What of {@link PERMISSIONS} grants anything at all. */
  readonly permissions: ReadonlySet<Permission>;
  /** The owner's tags. */
  readonly vocabulary: TagVocabulary;
  readonly exposure: FieldExposure;
}

/**
 * Whether a write may give a node these tags: all of them, and names that are no tag yet, within the verb's grant. A
 * node made without any tag needs `create` for all tags (decisions 3.7).
 * @param newNames names without a living tag
 */
export function mayAssignTags(
  access: Pick<Access, 'tags'>,
  verb: AssigningVerb,
  { tagIds, newNames }: { tagIds: readonly string[]; newNames: readonly string[] },
): boolean {
  const grant = access.tags[verb];
  if (newNames.length > 0 && !grant.allowNew) return false;
  if (verb === 'create' && tagIds.length + newNames.length === 0) return grant.allowAll;
  return tagIds.every((id) => grants(grant, id));
}

/** Whether the caller is shown all of each node they may read: every tag by name, every field as it is stored. */
export const isShownWhole = ({ exposure, tags }: Pick<Access, 'exposure' | 'tags'>): boolean =>
  exposure.isIdentity && tags.discover.allowAll;

/**
 * Names the rules by which the fields of readable nodes are shown. Other than {@link nameOfShowing} it does not move with
 * the rules, and the tags in them, that decide which nodes are.
 */
export function nameOfFields({ tags: { discover }, exposure }: Pick<Access, 'exposure' | 'tags'>): string {
  const tags = nameOf(discover, ({ allowAll, tagIds }) => [allowAll, [...tagIds].sort()]);
  return `${tags} ${nameOf(exposure, ({ terms }) => terms)}`;
}

/**
 * Names the rules by which nodes are shown: which may be read, whose tags are named, and what becomes of their fields.
 * Other than {@link Access.key} it stays the same when the owner's other rules and tags change.
 */
export const nameOfShowing = (access: Pick<Access, 'ownerId' | 'exposure' | 'tags' | 'nodes'>): string =>
  `${access.ownerId} ${nameOf(access.nodes.read, (read) => read)} ${nameOfFields(access)}`;

const names = new WeakMap<object, string>();

/**
 * A hash of rules, made once for each object that holds them: every write of an owner renews the access of their apps
 * with newer counters, and those hold the same rules.
 */
function nameOf<Rules extends object>(rules: Rules, terms: (rules: Rules) => unknown): string {
  let name = names.get(rules);
  if (name === undefined) {
    name = createHash('sha256')
      .update(JSON.stringify(terms(rules)))
      .digest('base64');
    names.set(rules, name);
  }
  return name;
}

/** Whether nothing of the graph's nodes is hidden from the caller. */
export const seesEverything = (access: Pick<Access, 'exposure' | 'tags' | 'nodes'>): boolean =>
  access.nodes.read.kind === 'all' && isShownWhole(access);

/** Whether nodes of that schema (null: without one) may be read or written (decisions 3.3, 3.10). */
export function maySchema(
  access: Pick<Access, 'schemas'>,
  verb: 'read' | 'write',
  schemaId: string | null,
): boolean {
  const { allowAll, schemaIds } = access.schemas[verb];
  return allowAll || schemaIds.has(schemaId ?? FREEFORM);
}

/** @param reads whether there is anything that could be read: a tag grant or single nodes (decisions 7.11) */
export function permissionsOf(
  { tags, schemas }: Grants,
  reads: { nodes: boolean; files: boolean },
): Set<Permission> {
  const permissions = new Set<Permission>();
  for (const verb of TAG_VERBS) if (grantsTags(tags[verb])) permissions.add(`tags.${verb}`);
  if (reads.nodes) permissions.add('tags.read');
  if (reads.files) permissions.add('files.read');
  if (tags.create.allowNew) permissions.add('tags.create_new');
  if (grantsSchemas(schemas.read)) permissions.add('schemas.read');
  if (grantsSchemas(schemas.write)) permissions.add('schemas.write');
  return permissions;
}
