import { Injectable } from '@nestjs/common';

/** What the service needs besides its database; contexts register theirs when they start. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, () => Promise<unknown>>();

  /** @param check rejects when it cannot be used now; asked often, so it has to be cheap */
  register(name: string, check: () => Promise<unknown>): void {
    if (this.checks.has(name)) throw new Error(`there is a check of ${name} already`);
    this.checks.set(name, check);
  }

  /** The name of the first that fails, null when all are well. */
  async missing(): Promise<string | null> {
    for (const [name, check] of this.checks) {
      const isWell = await check().then(
        () => true,
        () => false,
      );
      if (!isWell) return name;
    }
    return null;
  }
}
