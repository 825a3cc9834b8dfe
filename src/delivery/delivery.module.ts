import { type DynamicModule, Module } from '@nestjs/common';
import { type Queue } from 'bull';
import { type Config } from '../config/config.js';
import { GraphModule } from '../graph/index.js';
import { IdentityModule } from '../identity/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { Attempts } from './application/attempts.service.js';
import { ChangeDecisions } from './application/change-decisions.service.js';
import { Contents } from './application/contents.service.js';
import { DatabaseBulkhead } from './application/database-bulkhead.js';
import { DeliveriesSweep } from './application/deliveries.sweep.js';
import { DeliveryQueue } from './application/delivery-queue.js';
import { DeliveryWorker } from './application/delivery-worker.js';
import { EventBodies } from './application/event-body.service.js';
import { Leases } from './application/leases.js';
import { PendingOwnersFollower } from './application/pending-owners-follower.js';
import { Outbox } from './application/outbox.service.js';
import { SubscriptionSecrets } from './application/subscription-secrets.js';
import { Subscriptions } from './application/subscriptions.service.js';
import { EventDecisions } from './application/event-decisions.service.js';
import { ThingDecisions } from './application/thing-decisions.service.js';
import { ProposalSubscriptionsController } from './http/proposal-subscriptions.controller.js';
import { ReceivingApp } from './http/receiving-app.js';
import { WebhooksController } from './http/webhooks.controller.js';
import { BullQueue } from './infrastructure/bull-queue.js';
import { DeliveriesRepository } from './infrastructure/deliveries.repository.js';
import { LoggedChanges } from './infrastructure/logged-changes.queries.js';
import { InProcessQueue } from './infrastructure/in-process-queue.js';
import { Receivers } from './infrastructure/receiver.js';
import { HeldThings } from './infrastructure/held-things.queries.js';
import { TouchedEdges } from './infrastructure/touched-edges.queries.js';
import { SubscriptionsRepository } from './infrastructure/subscriptions.repository.js';

const QUEUE = 'deliveries';

const inProcess = {
  imports: [],
  provider: { provide: DeliveryQueue, useFactory: () => new InProcessQueue() },
};

/** Loads Bull only if there is a Redis: it is a large part of the start-up time. */
async function overBull(redisUrl: string) {
  const { BullModule, getQueueToken } = await import('@nestjs/bull');
  return {
    imports: [BullModule.registerQueue({ name: QUEUE, redis: redisUrl })],
    provider: {
      provide: DeliveryQueue,
      useFactory: (over: Queue) => new BullQueue(over),
      inject: [getQueueToken(QUEUE)],
    },
  };
}

/** Events pushed to subscribers (rules 9, 8.8). */
@Module({})
export class DeliveryModule {
  /** Uses Bull with Redis, which wakes workers of any process; without it only workers of this process are woken. */
  static async forRoot({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<DynamicModule> {
    const queue = redisUrl === null ? inProcess : await overBull(redisUrl);
    return {
      module: DeliveryModule,
      imports: [IdentityModule, PrivacyModule, GraphModule, ...queue.imports],
      controllers: [WebhooksController, ProposalSubscriptionsController],
      providers: [
        queue.provider,
        Subscriptions,
        SubscriptionSecrets,
        Outbox,
        Attempts,
        EventBodies,
        EventDecisions,
        ThingDecisions,
        ChangeDecisions,
        Contents,
        DatabaseBulkhead,
        Leases,
        PendingOwnersFollower,
        DeliveryWorker,
        DeliveriesSweep,
        SubscriptionsRepository,
        DeliveriesRepository,
        LoggedChanges,
        HeldThings,
        TouchedEdges,
        Receivers,
        ReceivingApp,
      ],
      exports: [DeliveryWorker],
    };
  }
}
