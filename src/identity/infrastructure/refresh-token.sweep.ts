import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { IDLE_LIFETIME_MS, LOG_IN_LIFETIME_MS } from '../domain/log-in.js';
import { ENROLMENT_LIFETIME_MS } from '../domain/totp.js';
import { ChallengeRows } from './challenges.repository.js';
import { KnownNetworks } from './known-networks.repository.js';
import { MailTokens } from './mail-tokens.repository.js';
import { LogInRows } from './log-ins.repository.js';
import { RefreshTokens } from './refresh-tokens.repository.js';
import { FactorRows } from './second-factors.repository.js';
import { TicketRows } from './stream-tickets.repository.js';

/**
 * Deletes refresh tokens and log-ins 30 days after their end, so that late reuse still ends the family,
 * networks 90 days after they were last seen, unfinished steps of second factors and unused tickets; no log-in has to
 * wait for it.
 */
@Injectable()
export class RefreshTokenSweep implements OnModuleInit {
  constructor(
    private readonly refreshTokens: RefreshTokens,
    private readonly logIns: LogInRows,
    private readonly knownNetworks: KnownNetworks,
    private readonly mailTokens: MailTokens,
    private readonly challenges: ChallengeRows,
    private readonly factors: FactorRows,
    private readonly tickets: TicketRows,
    private readonly housekeeping: Housekeeping,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('refresh tokens', () => this.run());
  }

  private async run(): Promise<void> {
    const now = this.clock.now();
    const ago = (milliseconds: number): Date => new Date(now.getTime() - milliseconds);
    const before = ago(IDLE_LIFETIME_MS);
    await this.units.run(async () => {
      await this.refreshTokens.forget(before);
      await this.logIns.forget(before);
      await this.knownNetworks.forget(ago(LOG_IN_LIFETIME_MS));
      await this.mailTokens.forget(now);
      await this.challenges.forget(now);
      await this.tickets.forget(now);
      await this.factors.forgetUnconfirmed(ago(ENROLMENT_LIFETIME_MS));
    });
  }
}
