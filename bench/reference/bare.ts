import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Inject,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { openStore } from './open.js';
import { type Body as NodeBody, type Rows, Store } from './store.js';

@Controller('api/v1/nodes')
class NodesController {
  constructor(@Inject(Store) private readonly store: Store) {}

  @Get()
  list(@Headers('x-user-id') owner: string, @Query('limit') limit: string): Promise<object> {
    return this.store.list(owner, Number(limit));
  }

  @Get(':id')
  async get(@Headers('x-user-id') owner: string, @Param('id') id: string): Promise<object> {
    const node = await this.store.get(owner, id);
    if (node === null) throw new NotFoundException();
    return node;
  }

  @Post()
  create(
    @Headers('x-user-id') owner: string,
    @Headers('x-rows') rows: Rows | undefined,
    @Body() body: NodeBody,
  ): Promise<object> {
    return this.store.create(owner, body, rows ?? 'whole');
  }

  @Post('search/vector')
  @HttpCode(200)
  vector(
    @Headers('x-user-id') owner: string,
    @Body() body: { embedding: number[]; limit?: number },
  ): Promise<object> {
    return this.store.vector(owner, body);
  }

  @Post('batch')
  @HttpCode(201)
  batch(
    @Headers('x-user-id') owner: string,
    @Headers('x-rows') rows: Rows | undefined,
    @Body() body: { nodes: NodeBody[] },
  ): Promise<object> {
    return this.store.batch(owner, body.nodes, rows ?? 'whole');
  }
}

@Controller('api/v1/sync')
class SyncController {
  constructor(@Inject(Store) private readonly store: Store) {}

  @Get()
  pull(
    @Headers('x-user-id') owner: string,
    @Query() { cursor, limit }: { cursor?: string; limit: string },
  ): Promise<object> {
    return this.store.sync(owner, Number(cursor ?? 0), Number(limit));
  }
}

/** NestJS and Express without changes around one statement: the limit for a service without rules. */
const store = await openStore();
@Module({ controllers: [NodesController, SyncController], providers: [{ provide: Store, useValue: store }] })
class BareModule {}

const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: ['error'] });
// The service makes its own ETag from the version; hashing bodies here would slow the reference down.
app.disable('etag');
app.useBodyParser('json', { limit: '8mb' });
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
