import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountDeletionHooks } from '../../kernel/account-deletion-hooks.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { CodeRows } from './codes.repository.js';
import { UnusedClients } from '../application/unused-clients.service.js';
import { DeviceRows } from './devices.repository.js';

/** Deletes codes and waiting devices that have expired, those of accounts that end, and clients that nobody uses. */
@Injectable()
export class OAuthSweep implements OnModuleInit {
  constructor(
    private readonly codes: CodeRows,
    private readonly devices: DeviceRows,
    private readonly unused: UnusedClients,
    private readonly housekeeping: Housekeeping,
    private readonly deletionHooks: AccountDeletionHooks,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('oauth codes', () => this.run());
    this.housekeeping.register('unused oauth clients', () => this.unused.sweep());
    this.deletionHooks.register(async (userId) => {
      await this.codes.deleteOf(userId);
      await this.devices.deleteOf(userId);
    });
  }

  private async run(): Promise<void> {
    const now = this.clock.now();
    await this.units.run(async () => {
      await this.codes.forget(now);
      await this.devices.forget(now);
    });
  }
}
