import { Injectable } from '@nestjs/common';

type Find = (appId: string) => Promise<string | null>;

/** The user of an app that exactly one has let in (decisions 1.9): privacy knows them, and registers itself. */
@Injectable()
export class SoleUsers {
  private find: Find = () => Promise.resolve(null);

  register(find: Find): void {
    this.find = find;
  }

  /** Null where nobody or more than one has let the app in. */
  of(appId: string): Promise<string | null> {
    return this.find(appId);
  }
}
