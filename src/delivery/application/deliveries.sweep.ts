import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { DeliveriesRepository } from '../infrastructure/deliveries.repository.js';
import { SubscriptionsRepository } from '../infrastructure/subscriptions.repository.js';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes deliveries that ended long ago, and subscriptions of deleted apps. */
@Injectable()
export class DeliveriesSweep implements OnModuleInit {
  constructor(
    private readonly housekeeping: Housekeeping,
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('deliveries', () =>
      this.units.run(() => this.deliveries.sweep(new Date(this.clock.now().getTime() - KEPT_MS))),
    );
    this.housekeeping.register('webhook subscriptions', () =>
      this.units.run(() => this.subscriptions.sweep()),
    );
  }
}
