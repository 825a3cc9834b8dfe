import { Body, Controller, Delete, Get, Header, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/page.js';
import { type AppChanges, Apps } from '../application/apps.service.js';
import { type App } from '../domain/app.js';
import { requestedPermissionsFrom } from '../domain/requested-permissions.js';
import { type User } from '../domain/user.js';
import { CurrentApp, CurrentUser } from './caller.js';
import {
  AppDto,
  AppsDto,
  CreateAppBody,
  CreatedAppDto,
  DeletedAppDto,
  UpdateAppBody,
} from './dto/apps.dto.js';
import { presentApp, presentCreatedApp } from './presenters.js';
import { StepUp } from './step-up.js';

const developer = (verb: string): Requirement => ({
  callers: 'user',
  resource: { kind: 'app', param: 'app_id', verb },
});

/** Apps, seen by their developers and by themselves (decisions 1.5, 2.6). */
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
    summary: 'Your apps',
    description: 'Those that you registered as their developer, without their keys.',
    requires: { callers: 'user' },
    answers: AppsDto,
  })
  async list(@CurrentUser() user: User, @Query() page: PageQuery): Promise<AppsDto> {
    const { apps, total } = await this.apps.listOf(user.id, page);
    return { apps: apps.map(presentApp), total, limit: page.limit, offset: page.offset };
  }

  // Before :app_id, which would take the word for an id.
  @Get('current')
  @Endpoint({
    summary: 'The app whose key is used',
    description: 'For the app itself; no user is named, and none is told.',
    requires: { callers: 'key', user: 'optional' },
    answers: AppDto,
  })
  current(@CurrentApp() app: App): AppDto {
    return presentApp(app);
  }

  @Get(':app_id')
  @Endpoint({
    summary: 'One of your apps',
    description: 'For its developer only; to everybody else it reads as absent.',
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
      'Asking for less holds at once. Asking for more than users approved holds for each when they approve again. ' +
      'More permissions, further redirect URIs, another client level and switching the app on again need a log-in not ' +
      'older than five minutes.',
    requires: { ...developer('edit'), fresh: 'sometimes' },
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
    answers: DeletedAppDto,
  })
  async delete(@Located('app') app: App): Promise<DeletedAppDto> {
    await this.apps.delete(app.id);
    return { message: 'App deleted', id: app.id };
  }
}

/** The fields that are present; null clears. */
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
