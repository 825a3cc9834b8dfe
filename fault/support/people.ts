import { type Answer, Client } from '../../test/support/client.js';
import { everything } from '../../test/support/defaults.js';
import { word } from './stack.js';

const PASSWORD = 'correct horse battery';

/** Throws the answer unless it is a success. */
export function ok<T extends Answer>(answer: T): T {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** A registered person. The origin is a parameter of each request: servers come and go. */
export class Person {
  private constructor(
    readonly id: string,
    private readonly token: string,
  ) {}

  static async register(origin: string): Promise<Person> {
    const username = `u${word()}`;
    const account = { email: `${username}@example.org`, username, password: PASSWORD };
    const { body } = ok(await new Client(origin).post('/auth/register', account));
    return new Person(body.user.id as string, body.access_token as string);
  }

  at(origin: string): Client {
    return new Client(origin, { Authorization: `Bearer ${this.token}` });
  }

  async makesApp(origin: string): Promise<App> {
    const wish = { name: `app ${word()}`, client_level: 'L2', requested_permissions: everything };
    const { body } = ok(await this.at(origin).post('/apps', wish));
    return new App(this, body.id as string, body.api_key as string);
  }

  /** Authorizes the app with a profile of its own, which shows everything. */
  async lets(origin: string, app: App): Promise<Permission> {
    const wish = { template: 'transparent', name: word() };
    const profile = ok(await this.at(origin).post('/exposure-profiles/from-template', wish)).body
      .id as string;
    const approval = { app_id: app.id, exposure_profile_id: profile };
    const authorization = ok(await this.at(origin).post('/authorizations', approval)).body.id as string;
    return { person: this, app, profile, authorization };
  }
}

export class App {
  constructor(
    readonly developer: Person,
    readonly id: string,
    readonly key: string,
  ) {}

  as(person: Person, origin: string): Client {
    return new Client(origin, { 'X-API-Key': this.key, 'X-User-ID': person.id });
  }
}

/** The credentials of an app that acts for a person. */
export interface Permission {
  person: Person;
  app: App;
  profile: string;
  authorization: string;
}

/** The ids of all nodes of a person. */
export async function nodesOf(client: Client): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = ok(await client.get(`/nodes?limit=100&offset=${offset}&sort=created_at&order=asc`));
    for (const { id, title } of body.nodes as { id: string; title: string }[]) found.set(id, title);
    total = body.total as number;
  }
  return found;
}
