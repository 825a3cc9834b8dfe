import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Request } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Locators } from '../../kernel/http/locators.js';
import { isId } from '../../kernel/ids.js';
import { type Node, type NodeUse, permitted } from '../../graph/index.js';
import { userCallerOf } from '../../identity/index.js';
import {
  type ExposureProfile,
  ExposureProfiles,
  type Permission,
  permissionNeeded,
  setAccess,
} from '../../privacy/index.js';
import { notBlocked } from '../application/blocked-users.service.js';
import { ConnectionsService } from '../application/connections.service.js';
import { followNotFound } from '../application/follows.service.js';
import { GroupGraphs } from '../application/group-graphs.service.js';
import { GroupsService } from '../application/groups.service.js';
import { invitationNotFound, InvitationsService } from '../application/invitations.service.js';
import { adminRequired, MembersService } from '../application/members.service.js';
import { ShareLog } from '../application/share-log.js';
import { shareNotFound } from '../application/shares.service.js';
import { type Follow } from '../domain/follow.js';
import { type Connection, type Invitation, type Member, type Membership } from '../domain/group.js';
import { type Share } from '../domain/share.js';
import { type BlockedUser, BlockedUsersRepository } from '../infrastructure/blocked-users.repository.js';
import { FollowsRepository } from '../infrastructure/follows.repository.js';
import { InvitationsRepository } from '../infrastructure/invitations.repository.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';

/** The permission that a member needs for a verb of the group's graph; reading needs membership only. */
const NEEDED: Record<GraphVerb, Permission | null> = {
  read: null,
  create: 'tags.create',
  create_tag: 'tags.create_new',
};
type GraphVerb = 'read' | 'create' | 'create_tag';

/**
 * Path ids of this context. Shares, follows and invitations exist only for their two users. An unknown or
 * disbanded group is absent; a living one answers that the caller is not a member (rule 10.1). Things below
 * a group are located after the group; handlers that act on its graph receive the access to it instead of
 * the caller's own.
 */
@Injectable()
export class CollaborationLocators implements OnModuleInit {
  constructor(
    private readonly locators: Locators,
    private readonly shares: SharesRepository,
    private readonly shareLog: ShareLog,
    private readonly blocked: BlockedUsersRepository,
    private readonly follows: FollowsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly groups: GroupsService,
    private readonly members: MembersService,
    private readonly invited: InvitationsService,
    private readonly connections: ConnectionsService,
    private readonly graphs: GroupGraphs,
    private readonly profiles: ExposureProfiles,
  ) {}

  onModuleInit(): void {
    this.locators.register('share', ['read', 'edit', 'end'], (request, id, verb) =>
      this.share(request, id, verb),
    );
    this.locators.register('blocked_user', ['unblock'], (request, id) => this.blockedUser(request, id));
    this.locators.register('follow', ['respond', 'end'], (request, id, verb) =>
      this.follow(request, id, verb),
    );
    this.locators.register('invitation', ['answer'], (request, id) => this.invitation(request, id));
    this.locators.register('group', ['member', 'admin'], (request, id, verb) =>
      this.group(request, id, verb),
    );
    this.locators.register('group_graph', ['read', 'create', 'create_tag'], (request, id, verb) =>
      this.groupGraph(request, id, verb),
    );
    this.locators.register('group_node', ['read', 'edit', 'delete'], (request, id, verb) =>
      this.groupNode(request, id, verb),
    );
    this.locators.register('group_member', ['edit', 'remove'], (request, id, verb) =>
      this.groupMember(request, id, verb),
    );
    this.locators.register('group_invitation', ['cancel'], (request, id) =>
      this.groupInvitation(request, id),
    );
    this.locators.register('group_connection', ['answer', 'revoke'], (request, id, verb) =>
      this.groupConnection(request, id, verb),
    );
    this.locators.register('group_profile', ['edit'], (request, id) => this.groupProfile(request, id));
  }

  /** A revoked share exists for its sharer only (rule 10.7). Only the sharer changes it; both may end it. */
  private async share(request: Request, id: string, verb: 'read' | 'edit' | 'end'): Promise<Share> {
    const { userId } = userCallerOf(request);
    const share = isId(id) ? await this.shares.find(userId, id) : null;
    if (share === null) throw shareNotFound();
    if (share.owner_id === userId) return share;
    const [shown] = await this.shareLog.shown([share]);
    if (shown?.status === 'revoked') throw shareNotFound();
    if (verb === 'edit')
      throw new DomainError('PERMISSION_DENIED', 'Only the person sharing can change this share');
    return share;
  }

  private async blockedUser(request: Request, id: string): Promise<BlockedUser> {
    const { userId } = userCallerOf(request);
    const blocked = isId(id) ? await this.blocked.find(userId, id) : null;
    if (blocked === null) throw notBlocked();
    return blocked;
  }

  /** Only the followed user answers; both may end it (rule 10.9). */
  private async follow(request: Request, id: string, verb: 'respond' | 'end'): Promise<Follow> {
    const { userId } = userCallerOf(request);
    const follow = isId(id) ? await this.follows.find(userId, id) : null;
    if (follow === null) throw followNotFound();
    if (verb === 'respond' && follow.owner_id !== userId)
      throw new DomainError('PERMISSION_DENIED', 'Only the followed user can answer');
    return follow;
  }

  private async invitation(request: Request, id: string): Promise<Invitation> {
    const invitation = isId(id) ? await this.invitations.find(userCallerOf(request).userId, id) : null;
    if (invitation === null) throw invitationNotFound();
    return invitation;
  }

  private async group(request: Request, id: string, verb: 'member' | 'admin'): Promise<Membership> {
    const membership = await this.groups.membership(id, userCallerOf(request).userId);
    if (verb === 'admin' && membership.member.role !== 'admin') throw adminRequired();
    return membership;
  }

  /** A member who lacks a permission could receive it, so the error is not ADMIN_REQUIRED (rule 10.1). */
  private async groupGraph(request: Request, id: string, verb: GraphVerb): Promise<Membership> {
    const membership = await this.group(request, id, 'member');
    const access = await this.graphs.accessOf(membership);
    const needed = NEEDED[verb];
    if (needed !== null && !access.permissions.has(needed)) throw permissionNeeded(needed);
    setAccess(request, access);
    return membership;
  }

  private async groupNode(request: Request, id: string, use: NodeUse): Promise<Node> {
    const membership = await this.group(request, groupIdOf(request), 'member');
    if (!isId(id)) return permitted(await this.graphs.accessOf(membership), null, use);
    const { access, node } = await this.graphs.find(membership, id);
    setAccess(request, access);
    return permitted(access, node, use);
  }

  /** Members may try to remove others; the service then answers that this needs an admin. */
  private async groupMember(request: Request, id: string, verb: 'edit' | 'remove'): Promise<Member> {
    const { group } = await this.group(request, groupIdOf(request), verb === 'remove' ? 'member' : 'admin');
    return this.members.get(group.id, id);
  }

  private async groupInvitation(request: Request, id: string): Promise<Invitation> {
    const { group } = await this.group(request, groupIdOf(request), 'admin');
    return this.invited.ofGroup(group.id, id);
  }

  private async groupConnection(
    request: Request,
    id: string,
    verb: 'answer' | 'revoke',
  ): Promise<{ membership: Membership; located: Connection }> {
    const membership = await this.group(request, groupIdOf(request), 'admin');
    return { membership, located: await this.connections.get(membership.group.id, id, verb) };
  }

  private async groupProfile(request: Request, id: string): Promise<ExposureProfile> {
    const { group } = await this.group(request, groupIdOf(request), 'admin');
    return this.profiles.get(group.id, id);
  }
}

const groupIdOf = (request: Request): string => request.params['group_id'] as string;
