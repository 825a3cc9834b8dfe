import { Injectable } from '@nestjs/common';
import { Apps } from './apps.service.js';
import { Users } from './users.service.js';

export interface NamedUser {
  id: string;
  username: string;
}

export interface NamedApp {
  id: string;
  name: string;
}

/** The named thing of an id; null without an id, and where the account or app has ended. */
export type NameOf<Named> = (id: string | null) => Named | null;

/**
 * Names beside the ids of people and apps (rule 11.13), by one statement for a page. Callers of these decide first whom
 * their own caller may know (rule 7.1d): ids of others are not looked up.
 */
@Injectable()
export class Names {
  constructor(
    private readonly users: Users,
    private readonly apps: Apps,
  ) {}

  async people(ids: Iterable<string | null>): Promise<NameOf<NamedUser>> {
    const users = await this.users.findAll(present(ids));
    return (id) => {
      const user = id === null ? undefined : users.get(id);
      return user === undefined ? null : { id: user.id, username: user.username };
    };
  }

  async ofApps(ids: Iterable<string | null>): Promise<NameOf<NamedApp>> {
    const apps = await this.apps.findAll(present(ids));
    return (id) => {
      const app = id === null ? undefined : apps.get(id);
      return app === undefined ? null : { id: app.id, name: app.name };
    };
  }
}

const present = (ids: Iterable<string | null>): string[] => [...ids].filter((id) => id !== null);
