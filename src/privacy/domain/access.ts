import { createHash } from 'node:crypto';
import { type Actor } from '../../kernel/request-context.js';
import { type FieldExposure } from './exposure/field-exposure.js';
import { hashes } from './exposure/transformation.js';
import { type Grants } from './profile-grants.js';
import { grants, grantsSchemas, grantsTags, type SchemaGrant, type TagGrant } from './grant-sets.js';
import { NODE_VERBS, type NodeVerb } from './profile-visibility.js';
import { type AssigningVerb, TAG_VERBS, type TagVerb } from './profile-rules.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';
import { FREEFORM, type Visibility } from './visibility.js';

/**
 * The permissions that an endpoint can require of an app. `tags.create_new`: make tags that do not exist yet
 * (rule 4.15).
 */
export const PERMISSIONS = [
  ...TAG_VERBS.map((verb) => `tags.${verb}` as const),
  'tags.create_new',
  'files.read',
  'schemas.read',
  'schemas.write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * One caller's rights in one owner's graph: a value, made once by the guard. Queries and services take it as
 * their first parameter and never decide again.
 */
export interface Access {
  /** The owner of the graph. */
  readonly ownerId: string;
  readonly actor: Actor;
  /** The authorization by which an app acts; absent for all other callers and for hypothetical access. */
  readonly authorizationId?: string;
  /**
   * True for a caller with a user key, which is in the user's hands, and for a link to a file: they act for
   * the app in the user's own graph, and have none of the app's rights elsewhere (rule 1.7).
   */
  readonly isUserKey: boolean;
  /** True for the owner in person: no profile applies (rule 1.12). */
  readonly isOwner: boolean;
  /**
   * True for another person's graph, as far as it is shared with the caller: not the caller's own, nor a
   * group's.
   */
  readonly isReceived: boolean;
  /**
   * True if nodes that others share with the owner can be read with it: it is the owner's own graph, and no rule hides
   * by tags, which others' nodes do not carry (rule 3.21).
   */
  readonly receives: boolean;
  /** Equal keys mean equal decisions, now and later: a value computed for one may be cached for the other. */
  readonly key: string;
  /** The owner's change counter as the guard read it: after the request came, and never ahead of the data. */
  readonly changes: number;
  /** The owner's policy counter when the decision was made. */
  readonly policy: number;
  /** The nodes that each verb reaches. Propose, edit and delete are within read and within schemas.write. */
  readonly nodes: Readonly<Record<NodeVerb, Visibility>>;
  /** The effective tag grants; discover already includes the other verbs (rule 3.9). */
  readonly tags: Readonly<Record<TagVerb, TagGrant>>;
  readonly schemas: { readonly read: SchemaGrant; readonly write: SchemaGrant };
  /** The {@link PERMISSIONS} that grant anything at all. */
  readonly permissions: ReadonlySet<Permission>;
  /** The owner's tags. */
  readonly vocabulary: TagVocabulary;
  readonly exposure: FieldExposure;
}

/**
 * True if a write may give a node these tags: all of them, and names that are no tag yet, are within the
 * verb's grant. A node made without any tag needs `create` for all tags (rule 3.7).
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

/**
 * True if the caller is shown all of each node they may read: every tag by name, every field as it is stored.
 */
export const isShownWhole = ({ exposure, tags }: Pick<Access, 'exposure' | 'tags'>): boolean =>
  exposure.isIdentity && tags.discover.allowAll;

/**
 * Names the rules by which the fields of readable nodes are shown. Unlike {@link nameOfShowing} it does not
 * change with the rules, and the tags in them, that decide which nodes are readable.
 */
export function nameOfFields({ tags: { discover }, exposure }: Pick<Access, 'exposure' | 'tags'>): string {
  const tags = nameOf(discover, ({ allowAll, tagIds }) => [allowAll, [...tagIds].sort()]);
  return `${tags} ${nameOf(exposure, ({ terms }) => terms)}`;
}

/**
 * Names the rules by which nodes are shown: which may be read, whose tags are named, and how their fields are
 * shown. Unlike {@link Access.key} it does not change with the owner's other rules and tags.
 */
export const nameOfShowing = (access: Pick<Access, 'ownerId' | 'exposure' | 'tags' | 'nodes'>): string =>
  `${access.ownerId} ${nameOf(access.nodes.read, (read) => read)} ${nameOfFields(access)}`;

/**
 * Names the rules by which an app is shown nodes and relationships, for comparing apps in one owner's graph at one time:
 * apps of equal names are shown everything alike. Their keys differ, and count where something is hashed.
 */
export function nameOfSight({ nodes, tags: { discover }, exposure }: Access): string {
  const { pseudonymKey, ...rules } = exposure.terms;
  const key = rules.transformations.some(hashes) ? pseudonymKey : '';
  return JSON.stringify([nodes.read, discover.allowAll, [...discover.tagIds].sort(), rules, key]);
}

/** True if both give the same rights in the same graph, whatever was written meanwhile. */
export const haveEqualRights = (one: Access, other: Access): boolean =>
  nameOfRights(one) === nameOfRights(other);

function nameOfRights(access: Access): string {
  const { isUserKey, isOwner, isReceived, receives, nodes, tags, schemas, permissions } = access;
  return JSON.stringify([
    [access.ownerId, isUserKey, isOwner, isReceived, receives, [...permissions].sort()],
    NODE_VERBS.map((verb) => nameOf(nodes[verb], (expression) => expression)),
    TAG_VERBS.map((verb) => [tags[verb].allowAll, tags[verb].allowNew, [...tags[verb].tagIds].sort()]),
    [schemas.read, schemas.write].map(({ allowAll, schemaIds }) => [allowAll, [...schemaIds].sort()]),
    nameOfFields(access),
  ]);
}

const names = new WeakMap<object, string>();

/**
 * A hash of rules, computed once for each object that holds them: every write of an owner renews the access
 * of their apps with newer counters, and those hold the same rules.
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

/** True if no node of the graph is hidden from the caller, in whole or in part. */
export const seesEverything = (access: Pick<Access, 'exposure' | 'tags' | 'nodes'>): boolean =>
  access.nodes.read.kind === 'all' && isShownWhole(access);

/** True if nodes with that schema (null: without one) may be read or written (rules 3.3, 3.10). */
export function maySchema(
  access: Pick<Access, 'schemas'>,
  verb: 'read' | 'write',
  schemaId: string | null,
): boolean {
  const { allowAll, schemaIds } = access.schemas[verb];
  return allowAll || schemaIds.has(schemaId ?? FREEFORM);
}

/** @param reads true if anything could be read: a tag grant or single nodes (rule 7.11) */
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
