import { type DynamicModule, Module } from '@nestjs/common';
import { type EntitySchema } from 'typeorm';
import { Config } from '../config/config.js';
import { ChangeFollowers } from './change-log/change-followers.js';
import { ChangeLog } from './change-log/change-log.js';
import { CommittedChanges } from './change-log/committed-changes.js';
import { ChangeSink } from './change-log/change-sink.js';
import { PlainChangeSink } from './change-log/plain-change-sink.js';
import { Quotas } from './change-log/quotas.js';
import { OwnerCounters } from './change-log/owner-counters.js';
import { Clock } from './clock.js';
import { AccountDeletionHooks } from './account-deletion-hooks.js';
import { HeldRows } from './held-rows.js';
import { Housekeeping } from './housekeeping.js';
import { Admission } from './http/admission.js';
import { BodyGuard } from './http/bodies/body.guard.js';
import { BytesUnderWay } from './http/bodies/bytes-under-way.js';
import { RequestPlaces } from './http/request-places.js';
import { Draining } from './http/draining.js';
import { ErrorFilter } from './http/answers/error.filter.js';
import { Replays } from './http/idempotency.js';
import { IdempotentRequests } from './http/idempotent-requests.js';
import { InnerRequests } from './inner-requests.js';
import { LastShown } from './last-shown.js';
import { Locators, ResourceGuard } from './http/locators.js';
import { RouteTable } from './http/route-table.js';
import { LetterWorker } from './mail/letter-worker.js';
import { Letters } from './mail/letters.js';
import { LetterRows } from './mail/letters.repository.js';
import { HealthController } from './observability/health.controller.js';
import { Metrics } from './observability/metrics.js';
import { MetricsController } from './observability/metrics.controller.js';
import { Readiness } from './observability/readiness.js';
import { RootLogger } from './observability/root-logger.js';
import { ServedRequests } from './observability/served-requests.js';
import { Database } from './database/database.js';
import { migrate } from './database/migrations.js';
import { SpoolRoom } from './spool/spool-room.js';
import { UnitOfWork } from './change-log/unit-of-work.js';
import { Redis } from './redis/redis.js';
import { EncryptionKey } from './secrets/encryption-key.js';
import { ChangeWaits } from './waiting/change-waits.service.js';
import { OpenStreams } from './waiting/open-streams.js';
import { BatchedChangeSink } from './write-batching/batched-change-sink.js';

const services = [
  Clock,
  ChangeLog,
  ChangeFollowers,
  {
    provide: ChangeSink,
    useFactory: (clock: Clock, followers: ChangeFollowers, config: Config): ChangeSink =>
      new (config.writeBatching ? BatchedChangeSink : PlainChangeSink)(clock, followers, config),
    inject: [Clock, ChangeFollowers, Config],
  },
  CommittedChanges,
  Quotas,
  OwnerCounters,
  UnitOfWork,
  Locators,
  ResourceGuard,
  RouteTable,
  ErrorFilter,
  Admission,
  BodyGuard,
  BytesUnderWay,
  RequestPlaces,
  ChangeWaits,
  OpenStreams,
  Draining,
  IdempotentRequests,
  InnerRequests,
  Replays,
  Metrics,
  Readiness,
  RootLogger,
  ServedRequests,
  HeldRows,
  Housekeeping,
  LastShown,
  SpoolRoom,
  AccountDeletionHooks,
  Letters,
  LetterRows,
  LetterWorker,
  { provide: Redis, useFactory: (config: Config) => Redis.open(config), inject: [Config] },
];

/** The base of every context. It contains nothing of the domain. */
@Module({})
export class KernelModule {
  /** @param entities the mappings of all contexts; the database is open and up to date before anything else starts */
  static forRoot(config: Config, entities: EntitySchema[]): DynamicModule {
    const database = {
      provide: Database,
      useFactory: async () => {
        const opened = await Database.open(config, entities);
        try {
          await migrate(opened);
        } catch (error) {
          await opened.close();
          throw error;
        }
        return opened;
      },
    };
    return {
      module: KernelModule,
      global: true,
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: Config, useValue: config },
        { provide: EncryptionKey, useFactory: () => EncryptionKey.load(config) },
        database,
        ...services,
      ],
      exports: [Config, EncryptionKey, Database, ...services],
    };
  }
}
