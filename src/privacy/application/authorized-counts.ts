import { Injectable } from '@nestjs/common';
import { type Access } from '../domain/access.js';
import { type NodeVerb } from '../domain/profile-visibility.js';

export type VerbCounts = Record<NodeVerb, number>;

/** An app that a person authorized, with the profile of the authorization. */
export interface AuthorizedApp {
  appId: string;
  profileId: string;
}

/** Null where the app may not be used now. */
type CountNodes = (owner: Access, app: AuthorizedApp) => Promise<VerbCounts | null>;

/** Counts the owner's nodes that their apps reach. The context that previews accesses registers how. */
@Injectable()
export class AuthorizedCounts {
  private count: CountNodes = () => Promise.resolve(null);

  register(count: CountNodes): void {
    this.count = count;
  }

  of(owner: Access, app: AuthorizedApp): Promise<VerbCounts | null> {
    return this.count(owner, app);
  }
}
