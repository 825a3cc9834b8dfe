import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { REFRESH_MEMORY_MS } from '../domain/refresh-token.js';
import { RefreshTokens } from './refresh-tokens.repository.js';

const EVERY_MS = 60 * 60 * 1000;

/** Forgets refresh tokens some time after their end; nobody's log-in has to wait for it. */
@Injectable()
export class RefreshTokenSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('refresh tokens');
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly refreshTokens: RefreshTokens,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const sweep = () =>
      this.run().catch((error: unknown) =>
        this.logger.error({ err: error }, 'old refresh tokens were not swept'),
      );
    this.timer = setInterval(() => void sweep(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - REFRESH_MEMORY_MS);
    await this.units.run(() => this.refreshTokens.forget(before));
  }
}
