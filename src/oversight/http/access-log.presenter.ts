import { Injectable } from '@nestjs/common';
import { AccessibleNodes, type NamedNode } from '../../graph/index.js';
import { type NameOf, type NamedApp, type NamedUser, Names } from '../../identity/index.js';
import { type Access, KnownPeople } from '../../privacy/index.js';
import { type StoredEntry } from '../domain/access-entry.js';
import { type AccessEntryDto } from './access-log.dto.js';

interface Named {
  app: NameOf<NamedApp>;
  user: NameOf<NamedUser>;
  nodes: ReadonlyMap<string, NamedNode>;
  known: ReadonlySet<string>;
}

/** The most nodes of an entry that are named: a title may have 1,000 characters. */
const NAMED_NODES = 20;

/** Presents entries to their owner, who sees other people only as far as they know them. */
@Injectable()
export class AccessLogPresenter {
  constructor(
    private readonly people: KnownPeople,
    private readonly names: Names,
    private readonly nodes: AccessibleNodes,
  ) {}

  /** @param owner the access of the log's owner to their own graph */
  async present(owner: Access, entries: readonly StoredEntry[]): Promise<AccessEntryDto[]> {
    const readers = [...new Set(entries.flatMap(({ readerId }) => readerId ?? []))];
    const known = await this.people.among(owner.ownerId, readers);
    const named: Named = {
      app: await this.names.ofApps(entries.map(({ appId }) => appId)),
      user: await this.names.people([owner.ownerId, ...known]),
      nodes: await this.nodes.ownTitles(owner, entries.flatMap(namedNodes)),
      known,
    };
    return entries.map((entry) => presented(entry, named));
  }
}

const namedNodes = ({ nodeIds }: StoredEntry): string[] => nodeIds.slice(0, NAMED_NODES);

function presented(entry: StoredEntry, named: Named): AccessEntryDto {
  const { id, at, since, byType, appId, readerId, ownerId } = entry;
  const nameNow = named.app(appId)?.name ?? null;
  const name = entry.appName ?? nameNow;
  const userId = readerId === null ? ownerId : named.known.has(readerId) ? readerId : null;
  const shown = nameNow ?? name;
  const user = named.user(userId);
  return {
    id,
    at,
    since,
    actor: {
      type: byType,
      app_id: appId,
      app_name: name,
      app_name_now: nameNow === name ? null : nameNow,
      user_id: userId,
      username: user?.username ?? null,
      app: appId === null || shown === null ? null : { id: appId, name: shown },
      user,
    },
    session_id: entry.sessionId,
    via: entry.via,
    tool: entry.tool,
    action: entry.action,
    endpoint: entry.endpoint,
    status: entry.status,
    requests: entry.requests,
    node_count: entry.nodeCount,
    node_ids: entry.nodeIds,
    nodes: namedNodes(entry).flatMap((nodeId) => named.nodes.get(nodeId) ?? []),
    ids_left_out: entry.isWithoutIds,
  };
}
