import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { type OwnedFacts, AccessibleNodes } from '../../graph/index.js';
import {
  type Access,
  SharedAccesses,
  type IncomingShare,
  sees,
  SharesQueries,
  type ShareScope,
} from '../../privacy/index.js';
import { type Share, type Subject } from '../domain/share.js';

/** The subject of a new share as it was sent. */
export interface SubjectRequest {
  scope: ShareScope;
  tagIds: readonly string[] | undefined;
  nodeIds: readonly string[] | undefined;
  /** The share being changed, which stays in its graph and with its parent (rule 10.8d). */
  changed?: Share;
}

/** The longest allowed chain of re-shares. */
const MAX_CHAIN = 16;

/**
 * Finds the subject of a share: own tags and nodes, or received nodes that may be re-shared (rules 10.7,
 * 10.8).
 */
@Injectable()
export class ShareSubjects {
  constructor(
    private readonly nodes: AccessibleNodes,
    private readonly received: SharedAccesses,
    private readonly grants: SharesQueries,
  ) {}

  /**
   * The parent of a re-share may end meanwhile: `ShareRecords.add` looks again.
   * @throws VALIDATION_ERROR
   */
  async find(sharer: Access, request: SubjectRequest): Promise<Subject> {
    const subject = await this.found(sharer, request);
    const { changed } = request;
    if (changed !== undefined && !isSameChain(subject, changed)) throw otherChain(subject.scope);
    return subject;
  }

  private async found(sharer: Access, request: SubjectRequest): Promise<Subject> {
    const { scope, tagIds, nodeIds, changed } = request;
    const own = {
      graph_owner_id: sharer.ownerId,
      scope,
      tag_ids: [],
      node_ids: [],
      parent_owner_id: null,
      parent_share_id: null,
    };
    if (scope === 'all') return own;
    if (scope === 'specific_tags') return { ...own, tag_ids: await this.ownTags(sharer, tagIds) };
    const ids = idsFrom('node_ids', nodeIds);
    const found = await this.nodes.facts(sharer, ids);
    const nodes = ids.flatMap((id) => found.get(id) ?? []);
    const owners = new Set(nodes.map(({ ownerId }) => ownerId));
    if (nodes.length < ids.length) throw notShareable();
    if (owners.size > 1) throw DomainError.validation('node_ids', 'must all belong to one owner');
    if (owners.has(sharer.ownerId)) return { ...own, node_ids: ids };
    const parent = await this.parentOf(sharer, nodes, changed);
    return {
      ...own,
      graph_owner_id: parent.graphOwnerId,
      node_ids: ids,
      parent_owner_id: parent.ownerId,
      parent_share_id: parent.id,
    };
  }

  private async ownTags({ ownerId }: Access, given: readonly string[] | undefined): Promise<string[]> {
    const ids = idsFrom('tag_ids', given);
    const living = await this.grants.livingTags(ownerId, ids);
    if (ids.every((id) => living.has(id))) return ids;
    throw foreignTags();
  }

  /**
   * The share with the most rights among those that allow all these nodes to be re-shared; for a share being changed
   * none but its parent.
   */
  private async parentOf({ ownerId: sharerId }: Access, nodes: readonly OwnedFacts[], changed?: Share) {
    const graphOwnerId = (nodes[0] as OwnedFacts).ownerId;
    const ids = nodes.map(({ id }) => id);
    const shares = (await this.received.reshareable(sharerId, graphOwnerId, ids)).filter(
      ({ share }) => changed === undefined || changed.parent_share_id === share.id,
    );
    for (const candidate of shares.sort(byRights)) {
      const reached = await this.received.nodesOf(candidate);
      if (!nodes.every((node) => sees(reached, node))) continue;
      if (candidate.worth.chain.length >= MAX_CHAIN)
        throw DomainError.validation('node_ids', 'have been re-shared too many times');
      return candidate.share;
    }
    throw changed === undefined ? notShareable() : otherChain('specific_nodes');
  }
}

function idsFrom(field: string, given: readonly string[] | undefined): string[] {
  if (given === undefined || given.length === 0)
    throw DomainError.validation(field, 'is required for this scope');
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  if (ids.every(isId)) return ids;
  throw field === 'tag_ids' ? foreignTags() : notShareable();
}

const foreignTags = (): DomainError => DomainError.validation('tag_ids', 'must be ids of your own tags');

/** Unknown, foreign and invisible nodes answer alike (rules 3.18, 10.7). */
export const notShareable = (): DomainError =>
  DomainError.validation('node_ids', 'must be nodes of your own, or all of one share that you may re-share');

const isSameChain = (one: Subject, other: Subject): boolean =>
  one.graph_owner_id === other.graph_owner_id && one.parent_share_id === other.parent_share_id;

const otherChain = (scope: ShareScope): DomainError =>
  DomainError.validation(
    scope === 'specific_nodes' ? 'node_ids' : 'scope',
    'must stay within what this share is about: your own nodes, or nodes of its parent share. ' +
      'To share others, end this share and create another',
  );

const weight = ({ worth }: IncomingShare): number => Number(worth.canWrite) + Number(worth.canDelete);
const end = ({ worth }: IncomingShare): number => worth.expiresAt?.getTime() ?? Infinity;

/** Orders by most rights, then the longest time, then id, so that the choice is deterministic. */
function byRights(a: IncomingShare, b: IncomingShare): number {
  if (weight(a) !== weight(b)) return weight(b) - weight(a);
  if (end(a) !== end(b)) return end(a) < end(b) ? 1 : -1;
  return a.share.id < b.share.id ? -1 : 1;
}
