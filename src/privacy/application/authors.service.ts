import { Injectable } from '@nestjs/common';
import { type Access } from '../domain/access.js';
import { KnownPeople } from '../infrastructure/known-people.queries.js';

/** The person who made a change, and the app that they used. */
export interface Author {
  userId: string | null;
  appId: string | null;
}

/** Authors of changes, as far as one caller may know them (rule 7.1d). */
@Injectable()
export class Authors {
  constructor(private readonly people: KnownPeople) {}

  /**
   * The authors in their order, with null for persons and apps that the caller is not shown. One statement for any
   * number of them, and none if they are the caller and the owner.
   */
  async asShown({ ownerId, actor }: Access, authors: readonly Author[]): Promise<Author[]> {
    const own = new Set([ownerId, actor.userId]);
    const others = authors.flatMap(({ userId }) => (userId === null || own.has(userId) ? [] : userId));
    // An app does not see with whom its user shares.
    const viewer = actor.type === 'user' ? actor.userId : null;
    const known = viewer === null ? new Set<string>() : await this.people.among(viewer, [...new Set(others)]);
    return authors.map(({ userId, appId }) => ({
      userId: userId !== null && (own.has(userId) || known.has(userId)) ? userId : null,
      appId: (userId ?? ownerId) === actor.userId ? appId : null,
    }));
  }
}
