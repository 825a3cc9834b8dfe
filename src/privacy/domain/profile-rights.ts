import { EVERYTHING, type OthersRights, type Right } from '../../identity/index.js';
import { canonicalText } from '../../kernel/json/json-values.js';
import { nodeTypeKey } from './node-type.js';
import { type ExposureProfile } from './exposure-profile.js';
import { DETAIL_LEVELS, type SchemaPermission, TAG_VERBS, type TagPermission } from './profile-rules.js';

/**
 * The rights that a profile gives (rule 1.16). Grants are rights, exclusions and the detail level are limits;
 * other rules are only compared for equality, so that any change of one counts as more.
 */
export function profileRights({ isActive, rules }: ExposureProfile): OthersRights {
  if (!isActive) return { rights: [] };
  const { tag_permissions, schema_permissions, allowed_node_ids, max_detail_level } = rules;
  const { excluded_tag_ids, excluded_node_types, ...others } = rules;
  const unordered = { ...others, tag_permissions: { delete: tag_permissions.delete !== undefined } };
  const comparable = { ...unordered, schema_permissions: {}, allowed_node_ids: [], max_detail_level: '' };
  return {
    rights: [
      { kind: 'rules', over: canonicalText(comparable) },
      ...TAG_VERBS.flatMap((verb) => tagRights(verb, tag_permissions[verb])),
      ...schemaRights('read', schema_permissions.read),
      ...schemaRights('write', schema_permissions.write),
      ...allowed_node_ids.map((over): Right => ({ kind: 'read', over, isSingle: true })),
    ],
    limits: [
      ...excluded_tag_ids.map((id) => `no tag ${id}`),
      ...excluded_node_types.map((type) => `no type ${nodeTypeKey(type)}`),
      ...DETAIL_LEVELS.slice(0, DETAIL_LEVELS.indexOf(max_detail_level)).map((level) => `less than ${level}`),
    ],
  };
}

function tagRights(verb: string, permission: TagPermission | undefined): Right[] {
  if (permission === undefined) return [];
  const { allow_all, allow_new = allow_all, tag_ids } = permission;
  return [
    ...over(`tags.${verb}`, { allow_all, ids: tag_ids }),
    ...(allow_new ? [{ kind: `tags.${verb} new`, over: EVERYTHING }] : []),
  ];
}

const schemaRights = (verb: string, { allow_all, schema_ids }: SchemaPermission): Right[] =>
  over(`schemas.${verb}`, { allow_all, ids: schema_ids });

const over = (kind: string, { allow_all, ids }: { allow_all: boolean; ids: readonly string[] }): Right[] => [
  ...(allow_all ? [{ kind, over: EVERYTHING }] : []),
  ...ids.map((id) => ({ kind, over: id })),
];
