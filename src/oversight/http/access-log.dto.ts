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
import { PageDto, PageQuery } from '../../kernel/http/answers/page.js';
import { ACCESS_ACTIONS, ACCESS_WAYS, type AccessAction, type AccessWay } from '../domain/access-entry.js';

const REFERENCE = { format: 'uuid', ...optional, ...ID };
const ACTION = {
  description:
    'The action; every change in the graph but a creation or a deletion is an `update`. `refused`: requests ' +
    'of an app for you that were answered with 403 or 404, counted for each hour, endpoint and status.',
  example: 'read',
};
const WAY = {
  description: 'The way: a request to the REST API, one to the MCP endpoint, or an event that was sent.',
  example: 'rest',
};

export class AccessLogQuery extends PageQuery {
  @StringField({ ...REFERENCE, description: 'Only accesses by this app.' })
  app_id?: string;

  @StringField({
    ...REFERENCE,
    description: 'Only accesses to this node of yours, as far as ids are stored.',
  })
  node_id?: string;

  @StringField({
    ...REFERENCE,
    description: 'Only accesses by this session, one of GET /authorizations/{authorization_id}/sessions.',
  })
  session_id?: string;

  @EnumField(ACCESS_WAYS, { ...WAY, ...optional })
  via?: AccessWay;

  @EnumField(ACCESS_ACTIONS, { ...ACTION, ...optional })
  action?: AccessAction;

  @DateField({
    ...optional,
    description: 'Only accesses at this time or later.',
    example: '2026-01-01T00:00:00.000Z',
  })
  from?: Date;

  @DateField({
    ...optional,
    description: 'Only accesses at this time or before.',
    example: '2030-12-31T23:59:59.999Z',
  })
  to?: Date;
}

class AccessActorDto {
  @EnumField(['app', 'user'], { description: 'An app, or another person.', example: 'app' })
  type: 'app' | 'user';

  @UuidField({
    ...ID,
    nullable: true,
    description: 'An app that you have authorized; null for other people, also if they use an app.',
  })
  app_id: string | null;

  @StringField({
    nullable: true,
    description: 'The name of the app at that time, also after its deletion.',
    example: 'Note reader',
  })
  app_name: string | null;

  @StringField({
    nullable: true,
    description: 'The present name, if it has changed; null also after the deletion of the app.',
    example: null,
  })
  app_name_now: string | null;

  @UuidField({
    ...ID,
    nullable: true,
    description:
      'You, if an app acted for you; or another person, if you share with them or are in a group with them. ' +
      'Null for anybody else, who has access through a re-share.',
  })
  user_id: string | null;

  @StringField({ nullable: true, example: 'alice' })
  username: string | null;

  @NestedField(() => NamedDto, {
    nullable: true,
    description: 'The app by its present name, or the last that is stored.',
  })
  app: NamedDto | null;

  @NestedField(() => NamedUserDto, { nullable: true })
  user: NamedUserDto | null;
}

export class AccessEntryDto {
  @UuidField(ID)
  id: string;

  @DateField({ ...TIME, description: 'The time of its last request.' })
  at: Date;

  @DateField({
    ...TIME,
    description:
      'The time of its first request, or the hour in which refusals and requests without ids are counted.',
  })
  since: Date;

  @NestedField(() => AccessActorDto)
  actor: AccessActorDto;

  @UuidField({
    ...ID,
    nullable: true,
    description:
      'The session of an app that called by a token of OAuth; null for keys, and for other people.',
  })
  session_id: string | null;

  @EnumField(ACCESS_WAYS, WAY)
  via: AccessWay;

  @StringField({ nullable: true, description: 'The tool that was called by MCP.', example: null })
  tool: string | null;

  @EnumField(ACCESS_ACTIONS, ACTION)
  action: AccessAction;

  @StringField({
    description: 'Method and route, or `webhook` for an event that was sent.',
    example: 'GET /nodes/:node_id',
  })
  endpoint: string;

  @IntegerField({ example: 200 })
  status: number;

  @IntegerField({
    min: 1,
    description: 'Equal requests within two seconds are one entry, those counted by the hour within an hour.',
    example: 1,
  })
  requests: number;

  @IntegerField({
    min: 0,
    description: 'The number of your nodes; where ids are left out, a node may be counted more than once.',
    example: 1,
  })
  node_count: number;

  @StringArrayField({ description: 'Their ids, 100 at most.', example: [ID.example] })
  node_ids: string[];

  @NestedArrayField(() => NamedNodeDto, {
    description: 'The first 20 of them by their present titles; deleted nodes are left out.',
  })
  nodes: NamedNodeDto[];

  @BooleanField({
    description:
      'True if ids of some of the nodes are not stored: an entry stores 1,000, and all of one app or person about ' +
      '10,000 an hour. `node_id` does not find those left out.',
    example: false,
  })
  ids_left_out: boolean;
}

export class AccessLogDto extends PageDto {
  @NestedArrayField(() => AccessEntryDto)
  entries: AccessEntryDto[];
}
