import { type Ceiling } from './ceiling.js';
import { effective, type Grants } from './profile-grants.js';
import { type SchemaGrant, type TagGrant } from './grant-sets.js';
import { type ProfileRules, type TagReference } from './profile-rules.js';
import { rule, type Rule } from './rule.js';
import { RAW_FILE_SCHEMA_ID } from './system-schemas.js';
import { type TagExpression, type TagLeaf } from './tags/tag-expression.js';
import { excludedTagIds } from './tags/tag-references.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';
import { type Visibility, visibility } from './visibility.js';

/** The verbs for an existing node. */
export const NODE_VERBS = ['read', 'propose', 'edit', 'delete'] as const;
export type NodeVerb = (typeof NODE_VERBS)[number];

/** Everything that an app's view of one owner's nodes depends on. */
export interface Policy {
  rules: ProfileRules;
  vocabulary: TagVocabulary;
  ceiling: Ceiling;
  granted: Grants;
}

/** Rules 3.1-3.10 as expressions, one for each verb. */
export function profileVisibilities(policy: Policy): Record<NodeVerb, Visibility> {
  return expressionsOf(profileRules(policy));
}

export const expressionsOf = (rules: Record<NodeVerb, Rule>): Record<NodeVerb, Visibility> => ({
  read: rules.read.expression,
  propose: rules.propose.expression,
  edit: rules.edit.expression,
  delete: rules.delete.expression,
});

/**
 * Rules 3.1-3.10, rule by rule. Callers who may propose, edit or delete a node may also read it;
 * `allowed_node_ids` bypasses tags and filters for reading only.
 */
export function profileRules(policy: Policy): Record<NodeVerb, Rule> {
  const { rules, vocabulary, granted } = policy;
  const filters = includeFilters(rules, vocabulary);
  const ids = rules.allowed_node_ids;
  // With files.read alone the profile's tag grant counts: the ceiling has no tags.read (rule 1.14).
  const byTags = rule.one('tag_permissions.read', tagged(granted.tags.read), { isGrant: true });
  const read = rule.all('read', [
    readCeiling(policy.ceiling),
    inSchemas('read', policy),
    exclusions(rules, vocabulary),
    rule.any('reached', [
      rule.one('allowed_node_ids', visibility.idIn(ids), { isSet: ids.length > 0, isGrant: true }),
      rule.all('by tags', [byTags, ...filters]),
    ]),
  ]);
  const readable = rule.one('read', read.expression);
  const through = (verb: 'propose' | 'edit' | 'delete'): Rule =>
    rule.all(verb, [readable, inSchemas('write', policy), ...filters, ...grantFor(verb, policy)]);
  return { read, propose: through('propose'), edit: through('edit'), delete: through('delete') };
}

function readCeiling({ tags, files }: Ceiling): Rule {
  if (tags.read || !files)
    return rule.one('requested_permissions.tags.read', tags.read ? visibility.all : visibility.none);
  return rule.one('requested_permissions.files.read', visibility.schemaIn([RAW_FILE_SCHEMA_ID]));
}

function inSchemas(kind: 'read' | 'write', { ceiling, granted }: Policy): Rule {
  return rule.both(kind, schemasIn(effective(ceiling, granted).schemas[kind]), [
    rule.one(`requested_permissions.schemas.${kind}`, schemasIn(ceiling.schemas[kind])),
    rule.one(`schema_permissions.${kind}`, schemasIn(granted.schemas[kind])),
  ]);
}

const schemasIn = ({ allowAll, schemaIds }: SchemaGrant): Visibility =>
  allowAll ? visibility.all : visibility.schemaIn(schemaIds);

/** The rules of a verb. Requests and profiles that do not mention delete treat it as edit (rule 3.8). */
function grantFor(verb: 'propose' | 'edit' | 'delete', { rules, ceiling, granted }: Policy): Rule[] {
  const asked = verb === 'delete' && !ceiling.declares.delete ? 'edit' : verb;
  const given = verb === 'delete' && rules.tag_permissions.delete === undefined ? 'edit' : verb;
  return [
    rule.one(`requested_permissions.tags.${asked}`, ceiling.tags[verb] ? visibility.all : visibility.none),
    rule.one(`tag_permissions.${given}`, tagged(granted.tags[verb]), { isGrant: true }),
  ];
}

/** At least one of the node's tags is granted; an untagged node passes only through allow_all (rule 3.4). */
const tagged = ({ allowAll, tagIds }: TagGrant): Visibility =>
  allowAll ? visibility.all : visibility.taggedAny(tagIds);

/** The exclusions of a profile; deleted tags still exclude (rules 3.2, 3.11). */
function exclusions(rules: ProfileRules, vocabulary: TagVocabulary): Rule {
  const excluding = (name: string, list: readonly unknown[], expression: Visibility): Rule =>
    rule.one(name, expression, { isSet: list.length > 0 });
  const { exclude_any } = rules.tag_filters;
  const named = visibility.taggedAny(excludedTagIds(exclude_any, vocabulary));
  return rule.none('exclusions', [
    excluding('tag_filters.exclude_any', exclude_any, named),
    excluding('excluded_tag_ids', rules.excluded_tag_ids, visibility.taggedAny(rules.excluded_tag_ids)),
    excluding('excluded_node_types', rules.excluded_node_types, visibility.typeIn(rules.excluded_node_types)),
  ]);
}

/**
 * True if a profile excludes or masks nodes by their tags. Its rules name tags of its owner: nodes that others tagged
 * carry none of them, whatever they are called, and would pass (rule 3.21).
 */
export const hidesByTags = ({ tag_filters, excluded_tag_ids, transformations }: ProfileRules): boolean =>
  tag_filters.exclude_any.length > 0 ||
  excluded_tag_ids.length > 0 ||
  transformations.some(({ apply_to }) => (apply_to?.tag_ids ?? []).length > 0);

/** The filters of a profile; empty ones let all nodes through (rule 3.5). */
function includeFilters(rules: ProfileRules, vocabulary: TagVocabulary): Rule[] {
  const { include_all, include_any } = rules.tag_filters;
  const isLiving = (id: string | null): id is string => id !== null && vocabulary.isLiving(id);
  const any = (ids: (string | null)[]): Visibility => visibility.taggedAny(ids.filter(isLiving));
  const all = (ids: (string | null)[]): Visibility =>
    ids.every(isLiving) ? visibility.taggedAll(ids) : visibility.none;
  const idsOf = (tags: TagReference[]): (string | null)[] => tags.map(({ id }) => id);
  const filter = <T>(name: string, list: T[], through: (list: T[]) => Visibility): Rule =>
    rule.one(name, list.length === 0 ? visibility.all : through(list), { isSet: list.length > 0 });
  const { tag_expression: tree, date_range_start: start, date_range_end: end } = rules;
  return [
    filter('tag_filters.include_all', idsOf(include_all), all),
    filter('tag_filters.include_any', idsOf(include_any), any),
    rule.one('tag_expression', tree === null ? visibility.all : ofExpression(tree, (tag) => any([tag.id])), {
      isSet: tree !== null,
    }),
    filter('allowed_tag_ids', rules.allowed_tag_ids, rules.allowed_tags_logic === 'AND' ? all : any),
    filter('allowed_node_types', rules.allowed_node_types, visibility.typeIn),
    rule.one('date_range', visibility.createdBetween(dateOf(start), dateOf(end)), {
      isSet: start !== null || end !== null,
    }),
  ];
}

/** The visibility of an expression. Without conditions AND matches every node and OR none (rule 3.12). */
function ofExpression(
  expression: TagExpression<TagReference> | TagLeaf<TagReference>,
  leaf: (tag: TagReference) => Visibility,
): Visibility {
  if ('tag' in expression) return leaf(expression.tag);
  const parts = expression.conditions.map((part) => ofExpression(part, leaf));
  return expression.op === 'AND' ? visibility.and(...parts) : visibility.or(...parts);
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
