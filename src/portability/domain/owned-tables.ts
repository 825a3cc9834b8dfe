/**
 * Every table that holds something of somebody, and what becomes of it: the one list that export, import and erasure
 * go by. A test compares it with the database's catalog, column by column, so that no table and no column is added
 * without saying here whether it is taken along and how it goes.
 */
export interface OwnedTable {
  readonly table: string;
  /**
   * restored: in the archive's `data`, and brought back by an import. listed: in `listed`, to be read by people: what
   * gives permission, and what two parties had with each other, is agreed anew (ADR 17). left out: made anew from the
   * rest, or of no meaning anywhere else.
   */
  readonly fate: 'restored' | 'listed' | 'left out';
  /** own: rows go by their owner_id. departure: the context does it, for others have a part in it. */
  readonly erased: 'own' | 'departure';
  /** What an archive says of a row, and of what kind each value must be; {@link ColumnKind}. */
  readonly columns: Readonly<Record<string, string>>;
  /** What never leaves: secrets, and what follows from the rest. The owner is said once for the whole archive. */
  readonly hidden: readonly string[];
  /** The order of rows in an archive. */
  readonly order: string;
  /** Whose the row `t` is, where that is not `owner_id`; `$owner` stands for the user. */
  readonly whose?: string;
  /** Other tables beside `t`. */
  readonly joined?: string;
  /** Columns that are not `t`'s of the same name. */
  readonly expressions?: Readonly<Record<string, string>>;
  /** Refer to rows of the same table, and are filled in when all of them are there. */
  readonly later?: readonly string[];
  /** The entry's name, where one table gives two. */
  readonly entry?: string;
}

type Rest = Partial<
  Pick<OwnedTable, 'hidden' | 'whose' | 'joined' | 'expressions' | 'later' | 'entry' | 'erased'>
>;

const given = (
  fate: OwnedTable['fate'],
  [table, order]: [table: string, order: string],
  columns: Record<string, string>,
  { hidden = ['owner_id'], erased = 'own', ...rest }: Rest = {},
): OwnedTable => ({ table, fate, erased, columns, hidden, order, ...rest });

const leftOut = (table: string, erased: OwnedTable['erased'] = 'own'): OwnedTable => ({
  table,
  fate: 'left out',
  erased,
  columns: {},
  hidden: [],
  order: '',
});

const TIMES = { created_at: 'time', updated_at: 'time' };
const VERSION = { version: 'int:1:2147483647' };
const VIEW = 'enum:identity|neutral';
const LEVEL = 'enum:DATA|CONTEXT|IDENTITY';
const WHO = 'enum:user|agent|app|system';

/** Of whose changes the archive tells in full. Of others it keeps the number and the time, so that numbers stay whole. */
export const RESTORED_ENTITIES = ['node', 'relationship', 'tag', 'schema', 'exposure_profile', 'embedding'];
export const OMITTED = 'omitted';
const KEPT = `t.entity IN (${RESTORED_ENTITIES.map((entity) => `'${entity}'`).join(', ')}, '${OMITTED}')`;
const whereKept = (column: string, otherwise = 'NULL'): string =>
  `CASE WHEN ${KEPT} THEN t.${column} ELSE ${otherwise} END`;

/** By the name that the archive has for it, so that two archives of the same have it in the same place. */
const byCarriedName = (column: string): string =>
  `coalesce((SELECT c.carried_as FROM carried_names AS c WHERE c.owner_id = t.owner_id AND c.name = t.${column}::text),
    t.${column}::text) COLLATE "C"`;

const SCHEMA = {
  id: 'uuid',
  schema_uri: 'text:500',
  created_by_app_id: 'uuid?',
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
  ...TIMES,
  deleted_at: 'time?',
};

const CHANGE = {
  sequence: 'int:1:9007199254740991',
  entity: 'text:50',
  entity_id: 'uuid',
  action: 'text:50',
  ...VERSION,
  changed_fields: 'object?:4194304',
  snapshot: 'object?:4194304',
  tag_ids: 'uuids?',
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

const RECEIVED_SHARE = {
  owner_id: 'uuid',
  id: 'uuid',
  shared_with_user_id: 'uuid',
  scope: 'text',
  can_read: 'bool',
  can_write: 'bool',
  can_delete: 'bool',
  can_share: 'bool',
  source: 'text',
  follow_id: 'uuid?',
  ...VERSION,
  ...TIMES,
  expires_at: 'time?',
  revoked_at: 'time?',
};
const SHARE = {
  ...Object.fromEntries(Object.entries(RECEIVED_SHARE).filter(([column]) => column !== 'owner_id')),
  graph_owner_id: 'uuid',
  tag_ids: 'uuids',
  node_ids: 'uuids',
};
const HIDDEN_OF_SHARES = ['owner_id', 'parent_owner_id', 'parent_share_id'];

/** Parents before children: an import fills them in this order, an erasure empties them in the other. */
export const OWNED_TABLES: readonly OwnedTable[] = [
  given(
    'listed',
    ['users', 't.id'],
    { id: 'uuid', email: 'text', username: 'text', is_public: 'bool', tier: 'text', ...TIMES },
    {
      hidden: ['email_key', 'username_key', 'password_hash'],
      whose: 't.id = $owner',
      erased: 'departure',
    },
  ),
  given(
    'listed',
    ['refresh_tokens', 't.id'],
    {
      id: 'uuid',
      family_id: 'uuid',
      created_at: 'time',
      expires_at: 'time',
      spent_at: 'time?',
      ended_at: 'time?',
    },
    { hidden: ['user_id', 'token_hash'], whose: 't.user_id = $owner', erased: 'departure' },
  ),
  given(
    'listed',
    ['apps', 't.id'],
    {
      id: 'uuid',
      name: 'text',
      description: 'text?',
      homepage_url: 'text?',
      redirect_uris: 'texts',
      client_level: 'text',
      requested_permissions: 'object',
      tier: 'text',
      is_active: 'bool',
      ...TIMES,
      deleted_at: 'time?',
    },
    { erased: 'departure' },
  ),
  given(
    'listed',
    ['api_keys', 't.app_id, t.id'],
    {
      app_id: 'uuid',
      id: 'uuid',
      kind: 'text',
      authorization_id: 'uuid?',
      name: 'text?',
      created_at: 'time',
      expires_at: 'time?',
      revoked_at: 'time?',
    },
    {
      hidden: ['user_id', 'key_hash', 'prefix', 'last_four'],
      whose:
        "(t.user_id = $owner OR (t.kind = 'app' AND t.app_id IN (SELECT a.id FROM apps AS a WHERE a.owner_id = $owner)))",
      erased: 'departure',
    },
  ),
  leftOut('app_usage', 'departure'),
  leftOut('sequences', 'departure'),
  leftOut('erasures', 'departure'),
  leftOut('carried_names'),

  given(
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
  given('restored', ['schemas', byCarriedName('id')], SCHEMA, {
    whose: `t.owner_id = $owner AND t.private_to IS DISTINCT FROM 'app'`,
  }),
  // Private to an app: it would be seen by that app wherever it acts, so that nobody may bring such a schema along.
  given('listed', ['schemas', byCarriedName('id')], SCHEMA, {
    whose: `t.owner_id = $owner AND t.private_to = 'app'`,
    entry: 'app_schemas',
  }),
  given(
    'restored',
    ['schema_versions', `${byCarriedName('schema_id')}, t.version`],
    {
      schema_id: 'uuid',
      ...VERSION,
      scope: 'enum:public|private',
      private_to: 'enum:user|',
      record: 'object:262144',
    },
    {
      whose: `t.owner_id = $owner AND t.private_to IS DISTINCT FROM 'app' AND EXISTS (SELECT FROM schemas AS s
        WHERE s.owner_id = t.owner_id AND s.id = t.schema_id AND s.private_to IS DISTINCT FROM 'app')`,
    },
  ),
  given(
    'restored',
    ['exposure_profiles', 't.id'],
    {
      id: 'uuid',
      name: 'text:200',
      description: 'text?:10000',
      is_default: 'bool',
      is_active: 'bool',
      rules: 'object:1048576',
      ...VERSION,
      ...TIMES,
    },
    { hidden: ['owner_id', 'name_key'] },
  ),
  given('restored', ['nodes', 't.id'], {
    id: 'uuid',
    title: 'text:1000',
    value: 'text?:100000',
    node_type: 'text:255',
    meaning_level: LEVEL,
    graph_view: VIEW,
    importance_score: 'real?:0:1',
    metadata: 'object?:262144',
    agent_metadata: 'object?:262144',
    last_modified_by_agent_id: 'uuid?',
    schema_id: 'uuid?',
    schema_version: 'int?:1:2147483647',
    tag_ids: 'uuids',
    tag_links: 'object:65536',
    ...VERSION,
    ...TIMES,
    deleted_at: 'time?',
    merged_into: 'uuid?',
  }),
  leftOut('node_words'),
  given('restored', ['relationships', 't.id'], {
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
  leftOut('blobs'),
  given(
    'restored',
    ['files', 't.node_id'],
    { node_id: 'uuid', sha256: 'sha256', size_bytes: 'int:0:1099511627776', media_type: 'text:255' },
    {
      hidden: ['owner_id', 'blob_id'],
      joined: 'JOIN blobs AS b ON b.owner_id = t.owner_id AND b.id = t.blob_id',
      expressions: { sha256: 'b.sha256', size_bytes: 'b.size_bytes' },
    },
  ),
  given(
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
      ],
    },
  ),
  given('restored', ['changes', 't.sequence'], CHANGE, {
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
          .concat(['changed_by_user_id', 'changed_by_app_id', 'changed_by_agent_id'])
          .map((column) => [column, whereKept(column)]),
      ),
    },
  }),
  given('listed', ['changes', 't.sequence'], CHANGE, {
    whose: `t.owner_id = $owner AND NOT (${KEPT}) AND (t.entity <> 'share' OR t.snapshot ->> 'owner_id' = $owner::text)`,
    entry: 'other_changes',
  }),
  given('restored', ['sessions', 't.id'], {
    id: 'uuid',
    key: 'text:1000',
    app_id: 'uuid?',
    external_id: 'text?:10000',
    agent_id: 'uuid?',
    agent_name: 'text?:10000',
    status: 'enum:created|processing|completed|failed',
    error: 'text?:100000',
    created_at: 'time',
    started_at: 'time?',
    completed_at: 'time?',
  }),
  given('restored', ['contributions', 't.node_id, t.sequence'], {
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
    tag_ids: 'uuids',
    schema_id: 'uuid?',
    node_type: 'text:255',
    node_created_at: 'time',
    contributed_at: 'time',
  }),

  given('listed', ['authorizations', 't.id'], {
    id: 'uuid',
    app_id: 'uuid',
    exposure_profile_id: 'uuid',
    requested_permissions: 'object',
    ...TIMES,
    expires_at: 'time?',
    revoked_at: 'time?',
    ...VERSION,
  }),
  given(
    'listed',
    ['proposals', 't.id'],
    {
      id: 'uuid',
      app_id: 'uuid',
      title: 'text',
      description: 'text?',
      type: 'text',
      status: 'text',
      graph_view: 'text',
      raw_data: 'object?',
      canonical_data: 'object?',
      tags: 'object',
      entity_tags: 'object?',
      reasoning_metadata: 'object?',
      actions: 'object',
      revision: 'int',
      message: 'text?',
      rejection_reason: 'text?',
      result: 'object?',
      ...TIMES,
      reviewed_at: 'time?',
      applied_at: 'time?',
      reverted_at: 'time?',
    },
    { hidden: ['owner_id', 'prepared', 'approved_actions', 'version'] },
  ),
  given('listed', ['shares', 't.id'], SHARE, { hidden: HIDDEN_OF_SHARES, erased: 'departure' }),
  // Of a share that was received one may know what is readable now, and not which ids it names.
  given('listed', ['shares', 't.owner_id, t.id'], RECEIVED_SHARE, {
    hidden: [...HIDDEN_OF_SHARES.slice(1), 'graph_owner_id', 'tag_ids', 'node_ids'],
    whose: 't.shared_with_user_id = $owner AND t.revoked_at IS NULL',
    erased: 'departure',
    entry: 'received_shares',
  }),
  given(
    'listed',
    ['follows', 't.owner_id, t.id'],
    {
      owner_id: 'uuid',
      id: 'uuid',
      follower_id: 'uuid',
      status: 'text',
      message: 'text?',
      share_id: 'uuid?',
      ...VERSION,
      created_at: 'time',
      responded_at: 'time?',
    },
    { hidden: [], whose: '(t.owner_id = $owner OR t.follower_id = $owner)', erased: 'departure' },
  ),
  given(
    'listed',
    ['groups', 't.id'],
    {
      id: 'uuid',
      name: 'text',
      description: 'text?',
      deletion_policy: 'text',
      created_by: 'uuid',
      is_active: 'bool',
      ...VERSION,
      ...TIMES,
    },
    {
      hidden: [],
      whose: 't.is_active AND t.id IN (SELECT m.owner_id FROM group_members AS m WHERE m.user_id = $owner)',
      erased: 'departure',
    },
  ),
  given(
    'listed',
    ['group_members', 't.owner_id'],
    { owner_id: 'uuid', role: 'text', exposure_profile_id: 'uuid?', joined_at: 'time' },
    { hidden: ['user_id'], whose: 't.user_id = $owner', erased: 'departure' },
  ),
  given(
    'listed',
    ['group_invitations', 't.owner_id, t.id'],
    {
      owner_id: 'uuid',
      id: 'uuid',
      invited_user_id: 'uuid',
      invited_by: 'uuid',
      role: 'text',
      message: 'text?',
      status: 'text',
      created_at: 'time',
      responded_at: 'time?',
    },
    { hidden: [], whose: '(t.invited_user_id = $owner OR t.invited_by = $owner)', erased: 'departure' },
  ),
  leftOut('group_connections', 'departure'),
  given('listed', ['group_shares', 't.group_id'], {
    group_id: 'uuid',
    exposure_profile_id: 'uuid',
    ...TIMES,
  }),
  given(
    'listed',
    ['webhook_subscriptions', 't.id'],
    {
      id: 'uuid',
      app_id: 'uuid',
      is_users: 'bool',
      webhook_url: 'text?',
      events: 'texts',
      proposals_url: 'text?',
      proposal_events: 'texts',
      status: 'text',
      disabled_reason: 'text?',
      last_delivery_at: 'time?',
      ...TIMES,
    },
    {
      hidden: [
        'owner_id',
        'secret',
        'previous_secret',
        'previous_until',
        'consecutive_failures',
        'position',
        'due_at',
        'leased_until',
      ],
    },
  ),
  leftOut('webhook_deliveries'),
  leftOut('webhook_told_nodes'),
  leftOut('sync_positions'),
  leftOut('idempotency_keys'),
];

export const RESTORED = OWNED_TABLES.filter(({ fate }) => fate === 'restored');
export const entryNameOf = ({ fate, entry, table }: OwnedTable): string =>
  `${fate === 'restored' ? 'data' : 'listed'}/${entry ?? table}.ndjson`;
