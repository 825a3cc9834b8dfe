import { NODE_FIELD_NAMES, type NodeFieldTerms, STORED_LIMITS, termsOf } from '../../graph/index.js';
import { mayName } from '../../privacy/index.js';
import { ownedTable, type OwnedTable, TIMES, VERSION } from './owned-table.js';

const VIEW = 'enum:identity|neutral';
const LEVEL = 'enum:DATA|CONTEXT|IDENTITY';
/** The most bytes of a profile's rules. */
export const RULES_BYTES = 4 * 1024 * 1024;

const WHO = 'enum:user|agent|app|system';

/**
 * The entities whose changes the archive contains in full. Other changes are reduced to number and time, so
 * that numbers have no gaps.
 */
export const RESTORED_ENTITIES = ['node', 'relationship', 'tag', 'schema', 'exposure_profile', 'embedding'];
export const OMITTED = 'omitted';
export const KEPT = `t.entity IN (${RESTORED_ENTITIES.map((entity) => `'${entity}'`).join(', ')}, '${OMITTED}')`;
const whereKept = (column: string, otherwise = 'NULL'): string =>
  `CASE WHEN ${KEPT} THEN t.${column} ELSE ${otherwise} END`;

/** A person in an archive, as far as the history names them to the owner (rule 7.1d). */
const shownPerson = (column: string): string =>
  `CASE WHEN t.${column} = t.owner_id OR ${mayName('t.owner_id', `t.${column}`)} THEN t.${column} END`;
/** The authors of a change; the apps are the owner's own. */
export const AUTHORS = {
  changed_by_user_id: shownPerson('changed_by_user_id'),
  changed_by_app_id: `CASE WHEN coalesce(t.changed_by_user_id, t.owner_id) = t.owner_id THEN t.changed_by_app_id END`,
};

/** The order by the name in the archive, so that two archives with the same content have the same order. */
export const byCarriedName = (column: string): string =>
  `coalesce((SELECT c.carried_as FROM carried_names AS c WHERE c.owner_id = t.owner_id AND c.name = t.${column}::text),
    t.${column}::text) COLLATE "C"`;

/** The fields of a schema by its author, and its identity. */
export const SCHEMA_FIELDS = {
  id: 'uuid',
  schema_uri: 'text:500',
  name: 'text:200',
  description: 'text?:10000',
  category: 'text?:100',
  recommended_node_type: 'text?:255',
  recommended_meaning_level: `${LEVEL}|`,
  scope: 'enum:public|private',
  private_to: 'enum:user|',
  extends: 'uuid?',
  recommended_by_developer: 'bool',
  schema_metadata: 'object?:65536',
  json_schema: 'object:65536',
  ...VERSION,
};
const OWN_SCHEMA = { ...SCHEMA_FIELDS, ...TIMES, deleted_at: 'time?' };
export const SCHEMA = { ...OWN_SCHEMA, created_by_app_id: 'uuid?' };

export const CHANGE = {
  sequence: 'int:1:9007199254740991',
  entity: 'text:50',
  entity_id: 'uuid',
  action: 'text:50',
  ...VERSION,
  changed_fields: 'object?:8388608',
  snapshot: 'object?:4194304',
  tag_ids: 'tags?',
  schema_id: 'uuid?',
  node_type: 'text?:255',
  node_created_at: 'time?',
  changed_by_type: WHO,
  changed_by_user_id: 'uuid?',
  changed_by_app_id: 'uuid?',
  changed_by_agent_id: 'uuid?',
  proposal_id: 'uuid?',
  reason: 'text?:1000',
  changed_at: 'time',
};

/** The kind of a node's field. Documents may be as large as parts that their writers were not shown make them. */
function kindOf(terms: NodeFieldTerms): string {
  const { column, limits: [least, most] = ['', ''], values } = terms;
  if (values !== undefined) return `enum:${values.join('|')}`;
  const word = { text: 'text', uuid: 'uuid', 'double precision': 'real', jsonb: 'object' }[column];
  const bounds = {
    text: `:${most}`,
    uuid: '',
    'double precision': `:${least}:${most}`,
    jsonb: `:${STORED_LIMITS.bytes}`,
  };
  return `${word}${terms.default === undefined ? '' : '?'}${bounds[column]}`;
}

/** The tables that an import restores, parents before children: filled in this order. */
export const RESTORED: readonly OwnedTable[] = [
  ownedTable(
    'restored',
    ['tags', 't.id'],
    {
      id: 'uuid',
      name: 'text:100',
      color: 'text?:7',
      category: 'text?:1000',
      description: 'text?:100000',
      parent_tag_id: 'uuid?',
      ...VERSION,
      ...TIMES,
      deleted_at: 'time?',
    },
    { hidden: ['owner_id', 'name_key'], later: ['parent_tag_id'] },
  ),
  // The app that made a schema is left out: it may change the schema (rule 5.6), and an import grants no
  // permission.
  ownedTable('restored', ['schemas', byCarriedName('id')], OWN_SCHEMA, {
    hidden: ['owner_id', 'created_by_app_id'],
    whose: `t.owner_id = $owner AND t.private_to IS DISTINCT FROM 'app'`,
  }),
  ownedTable(
    'restored',
    ['schema_versions', `${byCarriedName('schema_id')}, t.version`],
    {
      schema_id: 'uuid',
      ...VERSION,
      scope: 'enum:public|private',
      private_to: 'enum:user|',
      record: 'object:524288',
    },
    {
      whose: `t.owner_id = $owner AND t.private_to IS DISTINCT FROM 'app' AND EXISTS (SELECT FROM schemas AS s
        WHERE s.owner_id = t.owner_id AND s.id = t.schema_id AND s.private_to IS DISTINCT FROM 'app')`,
    },
  ),
  ownedTable(
    'restored',
    ['exposure_profiles', 't.id'],
    {
      id: 'uuid',
      name: 'text:200',
      description: 'text?:10000',
      is_default: 'bool',
      is_active: 'bool',
      rules: `object:${RULES_BYTES}`,
      ...VERSION,
      ...TIMES,
    },
    { hidden: ['owner_id', 'name_key'] },
  ),
  ownedTable('restored', ['nodes', 't.id'], {
    id: 'uuid',
    ...Object.fromEntries(NODE_FIELD_NAMES.map((field) => [field, kindOf(termsOf(field))])),
    schema_version: 'int?:1:2147483647',
    tag_ids: 'tags',
    tag_links: 'object:1048576',
    ...VERSION,
    ...TIMES,
    deleted_at: 'time?',
    merged_into: 'uuid?',
  }),
  ownedTable('restored', ['relationships', 't.id'], {
    id: 'uuid',
    from_node_id: 'uuid',
    to_node_id: 'uuid',
    relationship_type: 'text:255',
    strength: 'real?:0:1',
    confidence: 'real?:0:1',
    context: 'text?:100000',
    bidirectional: 'bool',
    graph_view: VIEW,
    emotion_type: 'text?:255',
    sentiment_score: 'real?:-1:1',
    ...VERSION,
    ...TIMES,
    deleted_at: 'time?',
  }),
  ownedTable(
    'restored',
    ['files', 't.node_id'],
    { node_id: 'uuid', sha256: 'sha256', size_bytes: 'int:0:1099511627776', media_type: 'text:255' },
    {
      hidden: ['owner_id', 'blob_id'],
      joined: 'JOIN blobs AS b ON b.owner_id = t.owner_id AND b.id = t.blob_id',
      expressions: { sha256: 'b.sha256', size_bytes: 'b.size_bytes' },
    },
  ),
  ownedTable(
    'restored',
    ['embeddings', 't.node_id, t.dimensions, t.model COLLATE "C"'],
    { node_id: 'uuid', dimensions: 'int:1:4096', model: 'text:1000', unit: 'vector', updated_at: 'time' },
    {
      hidden: [
        'owner_id',
        'graph_view',
        'tag_ids',
        'schema_id',
        'node_type',
        'node_created_at',
        'is_deleted',
        'is_alone',
        'vector_id',
        'past_tag_ids',
        'past_schema_id',
        'past_node_type',
        'made_of',
      ],
      // Vectors that the service has made are made again where the owner wants it (rule 4.19h).
      whose: 't.owner_id = $owner AND t.made_of IS NULL',
    },
  ),
  ownedTable('restored', ['changes', 't.sequence'], CHANGE, {
    expressions: {
      entity: whereKept('entity', `'${OMITTED}'`),
      entity_id: whereKept('entity_id', `'00000000-0000-0000-0000-000000000000'::uuid`),
      action: whereKept('action', `'${OMITTED}'`),
      version: whereKept('version', '1'),
      changed_by_type: whereKept('changed_by_type', `'system'`),
      ...Object.fromEntries(
        [
          'changed_fields',
          'snapshot',
          'tag_ids',
          'schema_id',
          'node_type',
          'node_created_at',
          'proposal_id',
          'reason',
        ]
          .concat('changed_by_agent_id')
          .map((column) => [column, whereKept(column)]),
      ),
      ...Object.fromEntries(
        Object.entries(AUTHORS).map(([column, shown]) => [column, `CASE WHEN ${KEPT} THEN ${shown} END`]),
      ),
    },
  }),
  ownedTable(
    'restored',
    ['sessions', 't.id'],
    {
      id: 'uuid',
      key: 'text:1000',
      app_id: 'uuid?',
      external_id: 'text?:262144',
      agent_id: 'uuid?',
      agent_name: 'text?:262144',
      status: 'enum:created|processing|completed|failed',
      error: 'text?:100000',
      created_at: 'time',
      started_at: 'time?',
      completed_at: 'time?',
    },
    { hidden: ['owner_id', 'is_empty'] },
  ),
  ownedTable(
    'restored',
    ['contributions', 't.node_id, t.sequence'],
    {
      node_id: 'uuid',
      sequence: 'int:1:9007199254740991',
      ...VERSION,
      contributor_type: WHO,
      contributor_id: 'uuid?',
      status: 'enum:active|rejected|merged',
      standing: 'texts',
      superseded: 'texts',
      confidence: 'real?:-1e308:1e308',
      is_named: 'bool',
      session_id: 'uuid?',
      tag_ids: 'tags',
      schema_id: 'uuid?',
      node_type: 'text:255',
      node_created_at: 'time',
      contributed_at: 'time',
      came_from: 'uuids',
      was_active: 'bool',
    },
    {
      expressions: {
        contributor_id: `CASE WHEN t.contributor_type <> 'user' THEN t.contributor_id ELSE ${shownPerson('contributor_id')} END`,
      },
    },
  ),
  // The folder is left out: it belongs to another machine.
  ownedTable(
    'restored',
    ['imports', 't.id'],
    {
      id: 'uuid',
      name: 'text:500',
      collection: 'text:1000',
      importer: 'text:100',
      ...TIMES,
      undone_at: 'time?',
    },
    { hidden: ['owner_id', 'place'] },
  ),
  ownedTable('restored', ['imported_nodes', 't.node_id'], { node_id: 'uuid', source: 'object:4194304' }),
];
