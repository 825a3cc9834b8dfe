import { Injectable } from '@nestjs/common';
import { UnownedApps, type UnownedAppPlace } from '../../identity/index.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { LivingAuthorizations } from '../../privacy/index.js';

const UNUSED_MS = 30 * 24 * 3_600_000;
/** The apps that one statement looks at. */
const PAGE = 1_000;
/** The apps that one unit deletes: each is locked, and a server has room for some thousand locks. */
const SLICE = 200;

/**
 * Apps of clients that nobody has authorized (rule 14.3f). Anybody can make one, so their number has a bound, beyond which
 * the oldest are deleted; after thirty days each of them is.
 */
@Injectable()
export class UnusedClients {
  /** The most unused apps of each kind, and the additions of a process after which it counts them; replaced by tests. */
  bounds = { most: 100_000, every: 1_000 };
  private additions = 0;

  constructor(
    private readonly apps: UnownedApps,
    private readonly authorizations: LivingAuthorizations,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Notes an addition; now and then the one that adds waits until there are few enough. */
  async added(): Promise<void> {
    this.additions += 1;
    if (this.additions < this.bounds.every) return;
    this.additions = 0;
    await this.sweep();
  }

  /** Deletes those that are old, and the oldest of those that are too many. */
  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - UNUSED_MS);
    const counts = new Map<string, number>();
    for (let page = await this.apps.page(null, PAGE); page.length > 0;) {
      const used = await this.authorizations.authorizedOf(page.map(({ id }) => id));
      const unused = page.filter(({ id }) => !used.has(id));
      const over = unused.filter(({ kind, createdAt }) => {
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        return count > this.bounds.most || createdAt < before;
      });
      await this.delete(over);
      page = await this.apps.page(page.at(-1) as UnownedAppPlace, PAGE);
    }
  }

  /** Deletes those that are still unused behind their locks: to authorize an app holds it. */
  private async delete(apps: readonly UnownedAppPlace[]): Promise<void> {
    for (let start = 0; start < apps.length; start += SLICE) {
      const ids = apps.slice(start, start + SLICE).map(({ id }) => id);
      await this.units.run(async () => {
        const locked = await this.apps.lockFree(ids);
        const used = await this.authorizations.authorizedOf(locked);
        await this.apps.delete(locked.filter((id) => !used.has(id)));
      });
    }
  }
}
