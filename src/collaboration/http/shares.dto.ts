import { ID, TIME } from '../../kernel/http/openapi/examples.js';
import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  NestedArrayField,
  NestedField,
  optional,
  StringArrayField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { NamedDto, NamedNodeDto, NamedUserDto } from '../../kernel/http/answers/names.js';
import { PageDto } from '../../kernel/http/answers/page.js';
import { SHARE_SCOPES, type ShareScope } from '../../privacy/index.js';
import { type ShareSource, type ShareStatus } from '../domain/share.js';

const MAX_IDS = 1_000;
const SCOPE = {
  description: '`all` is everything you own; the other scopes need `tag_ids` or `node_ids`.',
  example: 'all',
};
const TAG_IDS = { description: 'Own tags; required for the scope specific_tags.', example: [ID.example] };
const NODE_IDS = {
  description:
    'Nodes of your own, or all of one share that you may re-share; required for the scope specific_nodes.',
  example: [ID.example],
};
const READ = { description: 'The other rights imply it.', example: true };
const WRITE = { description: 'Change fields, not tags.', example: false };
const DELETE = { description: 'Delete the nodes.', example: false };
const SHARE = { description: 'Re-share the nodes.', example: false };
const EXPIRES = { nullable: true, example: '2030-01-31T12:00:00.000Z' };

/** The fields that creating and changing a share have in common. */
class ShareFieldsBody {
  @StringArrayField({ ...TAG_IDS, ...optional, maxItems: MAX_IDS })
  tag_ids?: string[];

  @StringArrayField({ ...NODE_IDS, ...optional, maxItems: MAX_IDS })
  node_ids?: string[];

  @BooleanField({ ...READ, ...optional })
  can_read?: boolean;

  @BooleanField({ ...WRITE, ...optional })
  can_write?: boolean;

  @BooleanField({ ...DELETE, ...optional })
  can_delete?: boolean;

  @BooleanField({ ...SHARE, ...optional })
  can_share?: boolean;

  @DateField({ ...EXPIRES, ...optional, description: 'In the future; null: never.' })
  expires_at?: Date | null;
}

export class CreateShareBody extends ShareFieldsBody {
  @StringField({ format: 'uuid', description: 'The recipient.', ...ID })
  shared_with_user_id: string;

  @EnumField(SHARE_SCOPES, SCOPE)
  scope: ShareScope;
}

export class UpdateShareBody extends ShareFieldsBody {
  @EnumField(SHARE_SCOPES, { ...SCOPE, ...optional })
  scope?: ShareScope;
}

export class ShareDto {
  @UuidField(ID)
  id: string;

  @UuidField({ ...ID, description: 'The sharer.' })
  owner_id: string;

  @UuidField(ID)
  shared_with_user_id: string;

  @EnumField(SHARE_SCOPES, SCOPE)
  scope: ShareScope;

  @StringArrayField(TAG_IDS)
  tag_ids: string[];

  @StringArrayField({ ...NODE_IDS, example: [] })
  node_ids: string[];

  @BooleanField(READ)
  can_read: boolean;

  @BooleanField(WRITE)
  can_write: boolean;

  @BooleanField(DELETE)
  can_delete: boolean;

  @BooleanField(SHARE)
  can_share: boolean;

  @EnumField(['active', 'revoked', 'expired'], { example: 'active' })
  status: ShareStatus;

  @DateField(EXPIRES)
  expires_at: Date | null;

  @EnumField(['manual', 'follow'], { description: 'The origin of the share.', example: 'manual' })
  source: ShareSource;

  @UuidField({ nullable: true, ...ID, example: null, description: 'The follow to which it belongs.' })
  follow_id: string | null;

  @UuidField({
    nullable: true,
    ...ID,
    example: null,
    description: 'The parent of a re-share. Rights and time are limited to those of the parent.',
  })
  parent_share_id: string | null;

  @DateField(TIME)
  created_at: Date;

  @DateField(TIME)
  updated_at: Date;

  @DateField({ nullable: true, example: null })
  revoked_at: Date | null;

  @NestedField(() => NamedUserDto, { nullable: true, description: 'The sharer.' })
  owner: NamedUserDto | null;

  @NestedField(() => NamedUserDto, { nullable: true, description: 'The recipient.' })
  shared_with: NamedUserDto | null;

  @NestedArrayField(() => NamedDto, {
    nullable: true,
    description: 'The tags by name; null for the recipient.',
  })
  tags: NamedDto[] | null;

  @NestedArrayField(() => NamedNodeDto, {
    description:
      'The first 20 nodes by title, without those that you cannot read. Answers to writes name your own only.',
    example: [],
  })
  nodes: NamedNodeDto[];
}

export class SharesDto extends PageDto {
  @NestedArrayField(() => ShareDto)
  shares: ShareDto[];
}

export class RevokedShareDto {
  @StringField({ example: 'Share revoked' })
  message: string;

  @UuidField(ID)
  id: string;
}

export class RevokedSharesDto {
  @StringField({ example: 'Shares revoked' })
  message: string;

  @IntegerField({ min: 0, example: 3, description: 'The number of shares.' })
  revoked: number;
}
