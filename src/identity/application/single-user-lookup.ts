import { Injectable } from '@nestjs/common';

type Find = (appId: string) => Promise<string | null>;

/**
 * The user of an app that exactly one user has authorized (rule 1.9): the privacy context knows them, and
 * registers itself.
 */
@Injectable()
export class SingleUserLookup {
  private find: Find = () => Promise.resolve(null);

  register(find: Find): void {
    this.find = find;
  }

  /** Null where no user, or more than one, has authorized the app. */
  of(appId: string): Promise<string | null> {
    return this.find(appId);
  }
}
