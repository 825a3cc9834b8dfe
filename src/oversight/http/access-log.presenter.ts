import { Injectable } from '@nestjs/common';
import { type App, Apps, type User, Users } from '../../identity/index.js';
import { KnownPeople } from '../../privacy/index.js';
import { type StoredEntry } from '../domain/access-entry.js';
import { type AccessEntryDto } from './access-log.dto.js';

interface Named {
  apps: ReadonlyMap<string, App>;
  users: ReadonlyMap<string, User>;
  known: ReadonlySet<string>;
}

/** Presents entries to their owner, who sees other people only as far as they know them. */
@Injectable()
export class AccessLogPresenter {
  constructor(
    private readonly people: KnownPeople,
    private readonly apps: Apps,
    private readonly users: Users,
  ) {}

  async present(ownerId: string, entries: readonly StoredEntry[]): Promise<AccessEntryDto[]> {
    const readers = [...new Set(entries.flatMap(({ readerId }) => readerId ?? []))];
    const known = await this.people.among(ownerId, readers);
    const named: Named = {
      apps: await this.apps.findAll(entries.flatMap(({ appId }) => appId ?? [])),
      users: await this.users.findAll([ownerId, ...known]),
      known,
    };
    return entries.map((entry) => presented(entry, named));
  }
}

function presented(entry: StoredEntry, { apps, users, known }: Named): AccessEntryDto {
  const { id, at, since, byType, appId, readerId, ownerId } = entry;
  const nameNow = (appId === null ? undefined : apps.get(appId)?.name) ?? null;
  const name = entry.appName ?? nameNow;
  const user = readerId === null ? ownerId : known.has(readerId) ? readerId : null;
  return {
    id,
    at,
    since,
    actor: {
      type: byType,
      app_id: appId,
      app_name: name,
      app_name_now: nameNow === name ? null : nameNow,
      user_id: user,
      username: (user === null ? undefined : users.get(user)?.username) ?? null,
    },
    action: entry.action,
    endpoint: entry.endpoint,
    status: entry.status,
    requests: entry.requests,
    node_count: entry.nodeCount,
    node_ids: entry.nodeIds,
    ids_left_out: entry.isWithoutIds,
  };
}
