import { Injectable, type OnModuleInit } from '@nestjs/common';
import { agentOf, type Change, type RecordedChange } from '../../kernel/change-log/change.js';
import { type ChangeFollower, ChangeFollowers } from '../../kernel/change-log/change-followers.js';
import { isId, newId } from '../../kernel/ids.js';
import { type Steps } from '../../kernel/slices.js';
import { type BatchableFollowUp } from '../../kernel/write-batching/batchable-write.js';
import { sessionKey } from '../domain/session.js';
import { writtenPaths } from '../domain/written-paths.js';
import {
  CONTRIBUTIONS_AND_MORE_STATEMENT,
  CONTRIBUTIONS_STATEMENT,
  MOVED_CONTRIBUTIONS_STATEMENT,
  SHARED_CONTRIBUTIONS_STATEMENT,
  UNDONE_CONTRIBUTIONS_STATEMENT,
} from '../infrastructure/contributions.statement.js';
import {
  type MovedContributions,
  type MovableRow,
  Removals,
  type ReturnedContributions,
} from './removals.js';

/** A row of contributions, before it has its number; the change at its position supplies the rest. */
interface NewContributionRow extends MovableRow {
  position: number;
  standing: string[];
  superseded: string[];
  confidence: number | null;
  is_named: boolean;
  session: number | null;
}

/** A session that writes name, by its external id or by its own. */
interface NamedSession {
  ref: number;
  id: string;
  key: string;
  named: string | null;
  app_id: string | null;
  external_id: string;
  agent_id: string | null;
  agent_name: string | null;
}

/** The payload that is written with an owner's changes. */
interface ContributionPayload {
  rows: NewContributionRow[];
  /** Paths of earlier contributions that are superseded. */
  replaced: { node_id: string; paths: string[] }[];
  sessions: NamedSession[];
  moved?: MovedContributions[];
  returned?: ReturnedContributions[];
}

/** The contributions and sessions of the changes so far. */
interface Followed {
  rows: NewContributionRow[];
  replaced: Map<string, Set<string>>;
  sessions: Map<string, NamedSession>;
  removals: Removals;
}

/** Writes contributions and begins sessions, in the statement that writes the changes they come from (rules 7.3, 7.4). */
@Injectable()
export class ContributionFollower implements ChangeFollower, OnModuleInit {
  constructor(private readonly followers: ChangeFollowers) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  *follow(recorded: readonly RecordedChange[]): Steps<BatchableFollowUp | null> {
    const followed: Followed = {
      rows: [],
      replaced: new Map(),
      sessions: new Map(),
      removals: new Removals(),
    };
    for (const [index, entry] of recorded.entries()) {
      const { entity, facts } = entry.change;
      if (entity !== 'node') continue;
      if (!facts) throw new Error('a change of a node needs the facts that visibility looks at');
      if (index > 0) yield undefined;
      follow(entry, index + 1, followed);
    }
    return followUpOf(followed);
  }
}

function followUpOf({ rows, replaced, sessions, removals }: Followed): BatchableFollowUp | null {
  if (rows.length === 0 && removals.isEmpty) return null;
  const { undone, moved, returned } = removals;
  if (undone.length > 0) {
    if (rows.length + moved.length > 0) throw new Error('a unit that takes changes back writes nothing else');
    const payload = { undone, returned };
    return { name: 'contributions-undone', statement: UNDONE_CONTRIBUTIONS_STATEMENT, payload };
  }
  const paths = [...replaced].map(([node_id, set]) => ({ node_id, paths: [...set] }));
  const payload: ContributionPayload = { rows, replaced: paths, sessions: [...sessions.values()] };
  if (!removals.isEmpty) {
    return {
      name: 'contributions-moved',
      statement: MOVED_CONTRIBUTIONS_STATEMENT,
      payload: { ...payload, moved, returned },
    };
  }
  // Most writes create a node and name no session: the short statement is enough.
  const isPlain = paths.length + payload.sessions.length === 0;
  return isPlain
    ? {
        name: 'contributions',
        statement: CONTRIBUTIONS_STATEMENT,
        payload: { rows: rows.map(plain) },
        shared: SHARED_CONTRIBUTIONS_STATEMENT,
      }
    : { name: 'contributions-all', statement: CONTRIBUTIONS_AND_MORE_STATEMENT, payload };
}

function follow(entry: RecordedChange, position: number, followed: Followed): void {
  const { rows, sessions, removals } = followed;
  const { entityId, livesOnIn, takesBack } = entry.change;
  if (livesOnIn === null) removals.bringBack(entityId);
  const { written, gone } = writtenPaths(entry.change);
  if (typeof takesBack === 'number') return removals.takeBack(entityId, takesBack, { written, gone });
  const session = sessionOf(entry, sessions);
  if (written.length + gone.length > 0 || session !== null) {
    const row = rowOf(entry, { position, standing: written, session });
    // A rejected value stands beside the present one; it does not replace it.
    if (row.status !== 'rejected') supersede([...written, ...gone], entry, followed);
    rows.push(row);
  }
  if (typeof livesOnIn === 'string') removals.move(entityId, livesOnIn, followed);
}

/** Supersedes paths in rows of this unit at once; the statement does not see them. */
function supersede(paths: string[], entry: RecordedChange, { rows, replaced, removals }: Followed): void {
  const { entityId, action } = entry.change;
  // A new node replaces nothing; a search would make the cost of a batch quadratic.
  if (action === 'created' || paths.length === 0) return;
  const isReplaced = new Set(paths);
  for (const row of rows) {
    if (row.node_id !== entityId || row.status !== 'active') continue;
    row.superseded.push(...row.standing.filter((path) => isReplaced.has(path)));
    row.standing = row.standing.filter((path) => !isReplaced.has(path));
  }
  replaced.set(entityId, new Set([...(replaced.get(entityId) ?? []), ...paths]));
  removals.supersede(entityId, paths);
}

function rowOf(
  entry: RecordedChange,
  { position, standing, session }: Pick<NewContributionRow, 'position' | 'standing' | 'session'>,
): NewContributionRow {
  const { change } = entry;
  const { agentMetadata } = change;
  return {
    position,
    node_id: change.entityId,
    status: statusOf(change),
    standing,
    superseded: [],
    confidence: numberOf(agentMetadata?.['confidence_score']),
    is_named: namesItsAgent(agentOf(entry), agentMetadata),
    session,
    came_from: [],
    was_active: false,
  };
}

/**
 * The values of a row if nothing is superseded, no session named and no node merged. Most rows are active and name no
 * agent: the statement uses that as the default.
 */
const plain = ({ position, node_id, standing, ...row }: NewContributionRow): object => ({
  position,
  node_id,
  standing,
  status: row.status === 'active' ? undefined : row.status,
  confidence: row.confidence ?? undefined,
  is_named: row.is_named || undefined,
});

function statusOf({ action, agentMetadata }: Change): NewContributionRow['status'] {
  if (action === 'merged') return 'merged';
  return agentMetadata?.['validation_status'] === 'rejected' ? 'rejected' : 'active';
}

/** True if a write names one agent as its author; it may describe another one. */
function namesItsAgent(agentId: string | null, agentMetadata: Change['agentMetadata']): boolean {
  if (agentId === null || !agentMetadata) return false;
  const described = agentMetadata['agent_id'];
  return typeof described !== 'string' || described.toLowerCase() === agentId.toLowerCase();
}

/** The number by which rows refer to the session that a write names; null if it names none. */
function sessionOf(entry: RecordedChange, sessions: Map<string, NamedSession>): number | null {
  const { change, actor } = entry;
  const external = change.agentMetadata?.['session_id'];
  if (typeof external !== 'string' || external === '') return null;
  const guest = guestOf(entry);
  const key = sessionKey(actor.appId ?? guest, external);
  const known = sessions.get(key);
  if (known) return known.ref;
  const name = change.agentMetadata?.['agent_name'];
  const session: NamedSession = {
    ref: sessions.size,
    id: newId(),
    key,
    named: isId(external) && guest === null ? external : null,
    app_id: actor.appId,
    external_id: external,
    agent_id: agentOf(entry),
    agent_name: typeof name === 'string' ? name : null,
  };
  sessions.set(key, session);
  return session.ref;
}

/**
 * The maker of sessions that a writer in another's graph names: external ids of its own, and no access to sessions that
 * it cannot see.
 */
const guestOf = ({ change, actor }: RecordedChange): string | null =>
  actor.appId === null && actor.userId !== change.ownerId ? actor.userId : null;

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
