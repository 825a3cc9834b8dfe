import { ownedTable, type OwnedTable, TIMES, VERSION } from './owned-table.js';
import { byCarriedName, CHANGE, KEPT, SCHEMA } from './restored-tables.js';

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

const KNOWN_READER = `CASE WHEN t.reader_id IS NULL THEN NULL WHEN
  EXISTS (SELECT FROM shares AS s WHERE s.owner_id = t.owner_id AND s.shared_with_user_id = t.reader_id)
  OR EXISTS (SELECT FROM group_members AS mine JOIN group_members AS theirs ON theirs.owner_id = mine.owner_id
    WHERE mine.user_id = t.owner_id AND theirs.user_id = t.reader_id)
  THEN t.reader_id END`;

/** The owner has blocked none of these users: nothing of blocked users is shown (rule 10.7i). */
const notBlocked = (userIds: string): string =>
  `NOT EXISTS (SELECT FROM blocked_users AS b WHERE b.owner_id = $owner AND b.user_id IN (${userIds}))`;

/** Tables that are only listed: permissions, and the relations of two parties. */
export const EXPORT_ONLY_TABLES: readonly OwnedTable[] = [
  ownedTable(
    'listed',
    ['users', 't.id'],
    {
      id: 'uuid',
      email: 'text',
      email_verified_at: 'time?',
      username: 'text',
      is_public: 'bool',
      tier: 'text',
      ...TIMES,
    },
    {
      hidden: ['email_key', 'username_key', 'password_hash', 'token_generation'],
      whose: 't.id = $owner',
      erased: 'departure',
    },
  ),
  ownedTable(
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
  ownedTable(
    'listed',
    ['log_ins', 't.id'],
    {
      id: 'uuid',
      created_at: 'time',
      last_used_at: 'time',
      authenticated_at: 'time',
      expires_at: 'time',
      ended_at: 'time?',
      user_agent: 'text?',
      network: 'text?',
    },
    { hidden: ['user_id', 'generation', 'singles_given'], whose: 't.user_id = $owner', erased: 'departure' },
  ),
  ownedTable(
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
  ownedTable(
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
  // Schemas private to an app would be visible to that app wherever it acts, so no import brings them along.
  ownedTable('listed', ['schemas', byCarriedName('id')], SCHEMA, {
    whose: `t.owner_id = $owner AND t.private_to = 'app'`,
    entry: 'app_schemas',
  }),
  ownedTable('listed', ['changes', 't.sequence'], CHANGE, {
    whose: `t.owner_id = $owner AND NOT (${KEPT}) AND (t.entity <> 'share' OR t.snapshot ->> 'owner_id' = $owner::text)`,
    entry: 'other_changes',
  }),
  ownedTable('listed', ['authorizations', 't.id'], {
    id: 'uuid',
    app_id: 'uuid',
    exposure_profile_id: 'uuid',
    requested_permissions: 'object',
    app_name: 'text?',
    ...TIMES,
    expires_at: 'time?',
    revoked_at: 'time?',
    ...VERSION,
  }),
  ownedTable(
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
    { hidden: ['owner_id', 'prepared', 'approved_actions', 'disclosed', 'version'] },
  ),
  ownedTable('listed', ['shares', 't.id'], SHARE, { hidden: HIDDEN_OF_SHARES, erased: 'departure' }),
  // The recipient of a share may know what is readable now, but not the ids that the share names.
  ownedTable('listed', ['shares', 't.owner_id, t.id'], RECEIVED_SHARE, {
    hidden: [...HIDDEN_OF_SHARES.slice(1), 'graph_owner_id', 'tag_ids', 'node_ids'],
    whose: `t.shared_with_user_id = $owner AND t.revoked_at IS NULL AND ${notBlocked('t.owner_id, t.graph_owner_id')}`,
    erased: 'departure',
    entry: 'received_shares',
  }),
  ownedTable(
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
    {
      hidden: [],
      whose: `((t.owner_id = $owner AND (t.status = 'accepted' OR ${notBlocked('t.follower_id')})) OR t.follower_id = $owner)`,
      erased: 'departure',
    },
  ),
  ownedTable('listed', ['blocked_users', 't.created_at, t.user_id'], { user_id: 'uuid', created_at: 'time' }),
  ownedTable(
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
  ownedTable(
    'listed',
    ['group_members', 't.owner_id'],
    { owner_id: 'uuid', role: 'text', exposure_profile_id: 'uuid?', joined_at: 'time' },
    { hidden: ['user_id'], whose: 't.user_id = $owner', erased: 'departure' },
  ),
  ownedTable(
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
    {
      hidden: ['exposure_profile_id'],
      whose: `((t.invited_user_id = $owner AND ${notBlocked('t.invited_by')}) OR t.invited_by = $owner)`,
      erased: 'departure',
    },
  ),
  ownedTable('listed', ['group_shares', 't.group_id'], {
    group_id: 'uuid',
    exposure_profile_id: 'uuid',
    ...TIMES,
  }),
  ownedTable(
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
        'is_full',
        'due_at',
        'leased_until',
      ],
    },
  ),
  // Other people are shown as far as the log itself shows them to its owner: those known by a share or a
  // group.
  ownedTable(
    'listed',
    ['access_log', 't.at, t.id'],
    {
      id: 'uuid',
      at: 'time',
      since: 'time',
      by_type: 'text',
      app_id: 'uuid?',
      app_name: 'text?',
      reader_id: 'uuid?',
      action: 'text',
      endpoint: 'text',
      status: 'int',
      requests: 'int',
      node_count: 'int',
      node_ids: 'uuids',
    },
    { expressions: { reader_id: KNOWN_READER } },
  ),
];
