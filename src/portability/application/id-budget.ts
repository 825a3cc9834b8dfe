import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';

/** The ids that one import holds in memory. */
export interface IdShare {
  /**
   * Replaces the number of ids that the import held before. @throws TOO_MUCH_UNDER_WAY; the earlier number
   * stays then
   */
  hold(ids: number): void;
  release(): void;
}

/** The ids of archives that all imports of this process hold in memory at once, about 94 bytes each. */
@Injectable()
export class IdBudget {
  private total = 0;

  constructor(private readonly config: Config) {}

  share(): IdShare {
    let held = 0;
    const hold = (ids: number): void => {
      const total = this.total + ids - held;
      if (ids > held && total > this.config.importIds) throw tooMany(this.config.importIds);
      this.total = total;
      held = ids;
    };
    return { hold, release: () => hold(0) };
  }
}

const tooMany = (max_ids: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'Too many imports are in progress; send this archive again when others have ended',
    { limit: 'process', max_ids },
  );
