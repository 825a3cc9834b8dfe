import { EXPORT_ONLY_TABLES } from './export-only-tables.js';
import { leftOut, type OwnedTable } from './owned-table.js';
import { RESTORED } from './restored-tables.js';

/**
 * Every table with data of owners, and its treatment: the one list that export, import and erasure use. A
 * test compares it with the database's catalog, column by column, so that no table and no column is added
 * without deciding here how it is exported and erased. Parents come before children: an erasure empties the
 * tables in the reverse order.
 */
export const OWNED_TABLES: readonly OwnedTable[] = [
  leftOut('sequences', 'departure'),
  leftOut('erasures', 'departure'),
  leftOut('carried_names'),
  leftOut('blobs'),
  ...RESTORED,
  leftOut('node_words'),
  leftOut('prepared_words'),
  ...EXPORT_ONLY_TABLES,
  leftOut('app_usage', 'departure'),
  leftOut('app_tokens', 'departure'),
  leftOut('oauth_codes', 'departure'),
  leftOut('oauth_devices', 'departure'),
  leftOut('known_networks', 'departure'),
  leftOut('letters', 'departure'),
  leftOut('mail_tokens', 'departure'),
  leftOut('totp_factors', 'departure'),
  leftOut('recovery_codes', 'departure'),
  leftOut('passkeys', 'departure'),
  leftOut('challenges', 'departure'),
  leftOut('group_connections', 'departure'),
  leftOut('share_ends', 'departure'),
  leftOut('webhook_deliveries'),
  leftOut('webhook_told_nodes'),
  leftOut('webhook_news'),
  leftOut('embedding_settings'),
  leftOut('embedding_news'),
  leftOut('sync_positions'),
  leftOut('stream_tickets'),
  leftOut('last_shown'),
  leftOut('idempotency_keys'),
];
