import { randomBytes } from 'node:crypto';
import { type Answer, Client } from '../support/client.js';

type Json = Record<string, unknown>;

export const PASSWORD = 'correct horse battery';
/** Before what asks for a recent log-in would refuse. */
const FRESH_MS = 200_000;

/** Fails with what was said, unless the answer is a yes. */
export function ok<T extends Answer>(answer: T): T {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 2_000)}`);
  return answer;
}

/** A registered person who logs in again before the log-in is too old for what asks for a recent one. */
export class Somebody {
  refreshToken = '';
  private token = '';
  private loggedIn = 0;

  private constructor(
    readonly origin: string,
    readonly id: string,
    readonly email: string,
    readonly username: string,
  ) {}

  static async register(origin: string): Promise<Somebody> {
    const username = `u${randomBytes(6).toString('hex')}`;
    const account = { email: `${username}@example.org`, username, password: PASSWORD };
    const { body } = ok(await new Client(origin).post('/auth/register', account));
    const person = new Somebody(origin, body.user.id as string, account.email, username);
    person.take(body);
    return person;
  }

  async client(): Promise<Client> {
    return new Client(this.origin, await this.credentials());
  }

  async credentials(): Promise<Record<string, string>> {
    if (performance.now() - this.loggedIn > FRESH_MS) {
      const account = { email: this.email, password: PASSWORD };
      const { body } = ok(await new Client(this.origin).post('/auth/login', account));
      this.take(body);
    }
    return { Authorization: `Bearer ${this.token}` };
  }

  /** A node, tag or whatever of theirs, made now; its id. */
  async make(path: string, body: Json): Promise<string> {
    return ok(await (await this.client()).post(path, body)).body.id as string;
  }

  private take({ access_token, refresh_token }: Record<string, string>): void {
    this.token = access_token as string;
    this.refreshToken = refresh_token as string;
    this.loggedIn = performance.now();
  }
}
