import { Injectable, Logger } from '@nestjs/common';

/** Probes come every few seconds, and any client may send them. */
const WARN_AGAIN_MS = 10_000;

/** The services needed besides the database; contexts register theirs when they start. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger('readiness');
  private readonly warned = new Map<string, number>();
  private readonly checks = new Map<string, () => Promise<unknown>>();

  /** @param check rejects while the service is unusable; it is called often, so it must be cheap */
  register(name: string, check: () => Promise<unknown>): void {
    if (this.checks.has(name)) throw new Error(`there is a check of ${name} already`);
    this.checks.set(name, check);
  }

  /** The name of the first check that fails; null when all pass. */
  async missing(): Promise<string | null> {
    for (const [name, check] of this.checks) {
      const isWell = await check().then(
        () => true,
        (error: unknown) => {
          this.warn(name, error);
          return false;
        },
      );
      if (!isWell) return name;
    }
    return null;
  }

  private warn(name: string, error: unknown): void {
    const now = performance.now();
    if (now - (this.warned.get(name) ?? -Infinity) < WARN_AGAIN_MS) return;
    this.warned.set(name, now);
    this.logger.warn({ err: error }, `${name} does not answer`);
  }
}
