import { type Pulled } from '../application/pulls.service.js';
import { type ScopeStatus, type Status } from '../application/sync.service.js';
import { type ChangeEntry, wireEntry, type WireOptions } from '../domain/change-entry.js';
import { type SyncPageDto, type SyncStatusDto } from './sync.dto.js';

interface PageOptions {
  ids_only: boolean;
  include_tags: boolean;
  include?: string;
  limit: number;
}

export function presentPage(
  { entries, hasMore }: Pulled,
  cursor: string,
  { ids_only, include_tags, include, limit }: PageOptions,
): SyncPageDto {
  const options: WireOptions = {
    idsOnly: ids_only,
    includeTags: include_tags,
    namesEntities: include !== undefined,
  };
  return {
    changes: entries.map((entry) => wireEntry(entry, options)),
    cursor,
    has_more: hasMore,
    limit,
    stats: {
      created: count(entries, 'create'),
      updated: count(entries, 'update'),
      deleted: count(entries, 'delete'),
      total: entries.length,
    },
  };
}

export function presentStatus(status: Status): SyncStatusDto {
  return {
    total_versions: status.totalVersions,
    latest_change: status.latestChange as string | null,
    last_sync_at: status.lastSyncAt?.toISOString() ?? null,
    pending_changes: status.pendingChanges,
    pending_more: status.pendingMore,
    ...(status.scopes === null ? {} : { scopes: Object.fromEntries([...status.scopes].map(presentScope)) }),
  };
}

const presentScope = ([scope, { lastSyncAt, lastVersionSeen, pendingChanges, pendingMore }]: [
  string,
  ScopeStatus,
]) =>
  [
    scope,
    {
      last_sync_at: lastSyncAt.toISOString(),
      last_version_seen: lastVersionSeen,
      pending_changes: pendingChanges,
      pending_more: pendingMore,
    },
  ] as const;

const count = (entries: readonly ChangeEntry[], action: ChangeEntry['action']): number =>
  entries.filter((entry) => entry.action === action).length;
