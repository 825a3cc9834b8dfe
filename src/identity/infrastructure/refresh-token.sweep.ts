import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { REFRESH_LIFETIME_MS } from '../domain/refresh-token.js';
import { RefreshTokens } from './refresh-tokens.repository.js';

/**
 * Forgets refresh tokens one lifetime after their end, so that late reuse still ends the family; nobody's log-in has
 * to wait for it.
 */
@Injectable()
export class RefreshTokenSweep implements OnModuleInit {
  constructor(
    private readonly refreshTokens: RefreshTokens,
    private readonly housekeeping: Housekeeping,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.housekeeping.register('refresh tokens', () => this.run());
  }

  private async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - REFRESH_LIFETIME_MS);
    await this.units.run(() => this.refreshTokens.forget(before));
  }
}
