import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { IDLE_LIFETIME_MS, LOG_IN_LIFETIME_MS } from '../domain/log-in.js';
import { KnownNetworks } from './known-networks.repository.js';
import { MailTokens } from './mail-tokens.repository.js';
import { LogInRows } from './log-ins.repository.js';
import { RefreshTokens } from './refresh-tokens.repository.js';

/**
 * Forgets refresh tokens and log-ins 30 days after their end, networks 90 days after they were seen, so that late reuse still ends the family; nobody's
 * log-in has to wait for it.
 */
@Injectable()
export class RefreshTokenSweep implements OnModuleInit {
  constructor(
    private readonly refreshTokens: RefreshTokens,
    private readonly logIns: LogInRows,
    private readonly knownNetworks: KnownNetworks,
    private readonly mailTokens: MailTokens,
    private readonly housekeeping: Housekeeping,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('refresh tokens', () => this.run());
  }

  private async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - IDLE_LIFETIME_MS);
    const unseen = new Date(this.clock.now().getTime() - LOG_IN_LIFETIME_MS);
    await this.units.run(async () => {
      await this.refreshTokens.forget(before);
      await this.logIns.forget(before);
      await this.knownNetworks.forget(unseen);
      await this.mailTokens.forget(this.clock.now());
    });
  }
}
