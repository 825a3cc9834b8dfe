import { type Ceiling } from './ceiling.js';
import { effective, type Grants } from './granted.js';
import { type SchemaGrant, type TagGrant } from './grants.js';
import { type ProfileRules, type TagReference } from './profile-rules.js';
import { RAW_FILE_SCHEMA_ID } from './system-schemas.js';
import { type TagExpression, type TagLeaf } from './tag-expression.js';
import { excludedTagIds } from './tag-references.js';
import { type TagVocabulary } from './tag-vocabulary.js';
import { type Visibility, visibility } from './visibility.js';

/** What may be done with a node that exists. */
export type NodeVerb = 'read' | 'propose' | 'edit' | 'delete';

/** Everything that an app's view of one owner's nodes depends on. */
export interface Policy {
  rules: ProfileRules;
  vocabulary: TagVocabulary;
  ceiling: Ceiling;
  granted: Grants;
}

/**
 * Decisions 3.1-3.10 as expressions, one for each verb. Whoever may propose, edit or delete a node may read it, too;
 * `allowed_node_ids` bypasses tags and filters for reading only.
 */
export function profileVisibilities({
  rules,
  vocabulary,
  ceiling,
  granted,
}: Policy): Record<NodeVerb, Visibility> {
  const reaches = effective(ceiling, granted);
  const { and, or, not, idIn } = visibility;
  const filters = includeFilters(rules, vocabulary);
  // With files.read alone the tag grant that counts is the profile's, for the ceiling says no tags.read (1.5).
  const readableTags = tagged(granted.tags.read);
  const read = and(
    readCeiling(ceiling),
    inSchemas(reaches.schemas.read),
    not(exclusions(rules, vocabulary)),
    or(idIn(rules.allowed_node_ids), and(readableTags, filters)),
  );
  const writing = and(read, inSchemas(reaches.schemas.write), filters);
  const through = (verb: 'propose' | 'edit' | 'delete'): Visibility =>
    and(writing, tagged(reaches.tags[verb]));
  return { read, propose: through('propose'), edit: through('edit'), delete: through('delete') };
}

function readCeiling({ tags, files }: Ceiling): Visibility {
  if (tags.read) return visibility.all;
  return files ? visibility.schemaIn([RAW_FILE_SCHEMA_ID]) : visibility.none;
}

const inSchemas = ({ allowAll, schemaIds }: SchemaGrant): Visibility =>
  allowAll ? visibility.all : visibility.schemaIn(schemaIds);

/** At least one of the node's tags is granted; an untagged node passes only through allow_all (decisions 3.4). */
const tagged = ({ allowAll, tagIds }: TagGrant): Visibility =>
  allowAll ? visibility.all : visibility.taggedAny(tagIds);

/** Deleted tags go on excluding (decisions 3.2, 3.11). */
function exclusions(rules: ProfileRules, vocabulary: TagVocabulary): Visibility {
  const tagIds = [...excludedTagIds(rules.tag_filters.exclude_any, vocabulary), ...rules.excluded_tag_ids];
  return visibility.or(visibility.taggedAny(tagIds), visibility.typeIn(rules.excluded_node_types));
}

/** The AND of every filter that is not empty (decisions 3.5). */
function includeFilters(rules: ProfileRules, vocabulary: TagVocabulary): Visibility {
  const { include_all, include_any } = rules.tag_filters;
  const isLiving = (id: string | null): id is string => id !== null && vocabulary.isLiving(id);
  const any = (ids: (string | null)[]): Visibility => visibility.taggedAny(ids.filter(isLiving));
  const all = (ids: (string | null)[]): Visibility =>
    ids.every(isLiving) ? visibility.taggedAll(ids) : visibility.none;
  const idsOf = (tags: TagReference[]): (string | null)[] => tags.map(({ id }) => id);
  const allowed = rules.allowed_tags_logic === 'AND' ? all : any;
  const unlessEmpty = <T>(list: T[], filter: (list: T[]) => Visibility): Visibility =>
    list.length === 0 ? visibility.all : filter(list);
  return visibility.and(
    unlessEmpty(idsOf(include_all), all),
    unlessEmpty(idsOf(include_any), any),
    rules.tag_expression === null
      ? visibility.all
      : ofExpression(rules.tag_expression, (tag) => any([tag.id])),
    unlessEmpty(rules.allowed_tag_ids, allowed),
    unlessEmpty(rules.allowed_node_types, visibility.typeIn),
    visibility.createdBetween(dateOf(rules.date_range_start), dateOf(rules.date_range_end)),
  );
}

/** Without conditions AND lets every node through and OR none (decisions 3.12). */
function ofExpression(
  expression: TagExpression<TagReference> | TagLeaf<TagReference>,
  leaf: (tag: TagReference) => Visibility,
): Visibility {
  if ('tag' in expression) return leaf(expression.tag);
  const parts = expression.conditions.map((part) => ofExpression(part, leaf));
  return expression.op === 'AND' ? visibility.and(...parts) : visibility.or(...parts);
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
