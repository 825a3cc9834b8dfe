import { Body, Controller, Delete, Get, Header, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { pageWithinBytes } from '../../kernel/http/answers/page-within-bytes.js';
import { type AppChanges, Apps } from '../application/apps.service.js';
import { type App } from '../domain/app.js';
import { requestedPermissionsFrom } from '../domain/requested-permissions.js';
import { type AppCaller } from '../domain/caller.js';
import { type User } from '../domain/user.js';
import { CurrentAppCaller, CurrentUser } from './caller.js';
import {
  AppDto,
  AppsDto,
  CreateAppBody,
  CreatedAppDto,
  CurrentAppDto,
  DeletedAppDto,
  UpdateAppBody,
} from './dto/apps.dto.js';
import { presentApp, presentAppForUsers, presentCreatedApp } from './presenters.js';
import { StepUp } from './step-up.js';

const developer = (verb: string): Requirement => ({
  callers: 'user',
  resource: { kind: 'app', param: 'app_id', verb },
});

/** The most apps that are read at once: what they request can name thousands of schemas. */
const AT_ONCE = 16;

/** Apps, as their developers and the apps themselves see them (rules 1.5, 2.6). */
@ApiTags('Apps')
@Controller('apps')
export class AppsController {
  constructor(
    private readonly apps: Apps,
    private readonly stepUp: StepUp,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Register an app',
    description: 'The answer carries the secret of its first key, which is shown only then.',
    requires: { callers: 'user' },
    status: 201,
    answers: CreatedAppDto,
  })
  async register(@CurrentUser() user: User, @Body() body: CreateAppBody): Promise<CreatedAppDto> {
    return presentCreatedApp(
      await this.apps.register(user.id, {
        name: body.name,
        description: body.description ?? null,
        homepageUrl: body.homepage_url ?? null,
        redirectUris: body.redirect_uris,
        clientLevel: body.client_level,
        requestedPermissions: requestedPermissionsFrom(body.requested_permissions),
      }),
    );
  }

  @Get()
  @Endpoint({
    summary: 'List your apps',
    description: 'The apps that you registered as their developer, without their keys.',
    requires: { callers: 'user' },
    answers: AppsDto,
  })
  async list(@CurrentUser() user: User, @Query() page: PageQuery): Promise<AppsDto> {
    const { items: apps, ...rest } = await pageWithinBytes<App, AppDto>({
      limit: page.limit,
      offset: page.offset,
      read: async (room) => {
        const { apps: rows, total } = await this.apps.listOf(user.id, room);
        return { rows, total };
      },
      show: (rows) => rows.map(presentApp),
      isWhole: () => false,
      atOnce: AT_ONCE,
    });
    return { apps, ...rest };
  }

  // Declared before :app_id, which would match the word as an id.
  @Get('current')
  @Endpoint({
    summary: 'Get the calling app',
    description:
      'For keys of the app. A user key belongs to a user: it is shown the app as in the preview of an authorization, ' +
      'without what concerns the developer.',
    requires: { callers: 'key', user: 'optional' },
    answers: CurrentAppDto,
  })
  current(@CurrentAppCaller() { app, boundAuthorizationId }: AppCaller): CurrentAppDto {
    return boundAuthorizationId === null ? presentApp(app) : presentAppForUsers(app);
  }

  @Get(':app_id')
  @Endpoint({
    summary: 'Get one of your apps',
    description: 'Only for its developer; for everybody else it counts as absent.',
    requires: developer('read'),
    answers: AppDto,
  })
  get(@Located('app') app: App): AppDto {
    return presentApp(app);
  }

  @Patch(':app_id')
  @Endpoint({
    summary: 'Change an app',
    description:
      'A smaller request takes effect at once. A request beyond the approved one takes effect for each user when they approve again. ' +
      'More permissions, further redirect URIs, another client level and switching the app on again need a log-in not ' +
      'older than five minutes.',
    requires: { ...developer('edit'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: AppDto,
  })
  async update(
    @Located('app') app: App,
    @Body() body: UpdateAppBody,
    @Req() request: Request,
  ): Promise<AppDto> {
    return presentApp(await this.apps.update(app.id, changesOf(body), this.stepUp.confirmation(request)));
  }

  @Delete(':app_id')
  @Endpoint({
    summary: 'Delete an app',
    description: 'Ends its keys and its authorizations.',
    requires: developer('delete'),
    endsAccess: true,
    answers: DeletedAppDto,
  })
  async delete(@Located('app') app: App): Promise<DeletedAppDto> {
    await this.apps.delete(app.id);
    return { message: 'App deleted', id: app.id };
  }
}

/** The given fields; null clears. */
function changesOf(body: UpdateAppBody): AppChanges {
  const changes: AppChanges = {
    name: body.name,
    description: body.description,
    homepageUrl: body.homepage_url,
    redirectUris: body.redirect_uris,
    clientLevel: body.client_level,
    isActive: body.is_active,
    requestedPermissions: body.requested_permissions && requestedPermissionsFrom(body.requested_permissions),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
