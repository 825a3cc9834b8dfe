import { Injectable } from '@nestjs/common';
import { Names } from '../../identity/index.js';
import { type NamedDto } from '../../kernel/http/answers/names.js';
import { ProfileNames } from '../../privacy/index.js';
import {
  type Connection,
  type Group,
  type GroupShare,
  type Member,
  type Membership,
} from '../domain/group.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { type ConnectionDto } from './group-connections.dto.js';
import { type GroupShareDto, type MemberDto } from './groups.dto.js';

type Named = Pick<Group, 'id' | 'name'>;

/** Presents what belongs to a group, with the names beside ids (rule 11.13). */
@Injectable()
export class GroupPresenter {
  constructor(
    private readonly names: Names,
    private readonly profiles: ProfileNames,
    private readonly groups: GroupsRepository,
  ) {}

  /** Members of one group. Which profile somebody else has is for admins (rule 10.6c), and so are profiles' names. */
  async members(
    groupId: string,
    members: readonly Member[],
    reader: Pick<Member, 'role' | 'user_id'>,
  ): Promise<MemberDto[]> {
    const person = await this.names.people(members.map(({ user_id }) => user_id));
    const isAdmin = reader.role === 'admin';
    const profiles = await this.profiles.of(
      groupId,
      isAdmin ? members.map(({ exposure_profile_id }) => exposure_profile_id) : [],
    );
    return members.map(({ user_id, role, exposure_profile_id: profileId, joined_at }) => ({
      user_id,
      username: person(user_id)?.username ?? null,
      role,
      exposure_profile_id: isAdmin || reader.user_id === user_id ? profileId : null,
      joined_at,
      exposure_profile: (profileId === null ? undefined : profiles.get(profileId)) ?? null,
    }));
  }

  /** The reader's own share with the group. */
  async share(share: GroupShare, { group }: Pick<Membership, 'group'>): Promise<GroupShareDto> {
    const { owner_id, exposure_profile_id: profileId, created_at, updated_at } = share;
    const person = await this.names.people([owner_id]);
    const profiles = await this.profiles.of(owner_id, [profileId]);
    return {
      group_id: share.group_id,
      user_id: owner_id,
      exposure_profile_id: profileId,
      is_active: true,
      created_at,
      updated_at,
      group: named(group),
      user: person(owner_id),
      exposure_profile: profiles.get(profileId) ?? null,
    };
  }

  /** Connections that the reader's group requested or received. */
  async connections(own: Named, connections: readonly Connection[]): Promise<ConnectionDto[]> {
    const person = await this.names.people(
      connections.flatMap(({ requested_by, responded_by }) => [requested_by, responded_by]),
    );
    const others = await this.groups.names(
      connections.flatMap((connection) => otherOf(own, connection) ?? []),
    );
    const group = (id: string): NamedDto | null => (id === own.id ? named(own) : (others.get(id) ?? null));
    return connections.map(({ owner_id, ...connection }) => ({
      id: connection.id,
      group_id: owner_id,
      target_group_id: connection.target_group_id,
      status: connection.status,
      message: connection.message,
      requested_by: connection.requested_by,
      responded_by: connection.responded_by,
      created_at: connection.created_at,
      responded_at: connection.responded_at,
      group: group(owner_id),
      target_group: group(connection.target_group_id),
      requester: person(connection.requested_by),
      // People of a group are named to those who know the group.
      responder:
        group(owner_id) && group(connection.target_group_id) ? person(connection.responded_by) : null,
    }));
  }

  async connection(own: Named, connection: Connection): Promise<ConnectionDto> {
    const [shown] = await this.connections(own, [connection]);
    return shown as ConnectionDto;
  }
}

const named = ({ id, name }: Named): NamedDto => ({ id, name });

/** The other group, if its name is the reader's to know: it asks them, or it is connected with them. */
function otherOf(own: Named, { owner_id, target_group_id, status }: Connection): string | null {
  if (status === 'accepted') return owner_id === own.id ? target_group_id : owner_id;
  return status === 'pending' && target_group_id === own.id ? owner_id : null;
}
