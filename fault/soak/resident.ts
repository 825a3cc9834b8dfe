import { everything } from '../../test/support/defaults.js';
import { type Chance } from '../../test/properties/random.js';
import { word } from '../support/stack.js';
import { type Asked, type Load, type Reply } from './load.js';

type Credentials = Record<string, string>;

export const PASSWORD = 'correct horse battery';

interface Tokens {
  access_token: string;
  refresh_token?: string;
}
export const WORDS = 'sea sail boat harbour plan letter friend garden bread music winter bicycle'.split(' ');
/** The most ids of a list; older ones are forgotten, the things stay. */
const KEPT = 40;

/** Things that all residents share. */
export interface Town {
  load: Load;
  chance: Chance;
  /** Receivers of webhooks, by number. */
  receiver: (number: number) => string;
  residents: Resident[];
}

/** A person with an app who registers, does random things and leaves. Nobody else acts for them meanwhile. */
export class Resident {
  /** Ids by kind. An id that is taken out of a list belongs to its taker. */
  readonly nodes: string[] = [];
  readonly tags: string[] = [];
  readonly edges: string[] = [];
  readonly files: string[] = [];
  readonly proposals: string[] = [];
  schema: string | null = null;
  cursor: string | null = null;
  profile = '';
  authorization = '';
  app = '';
  hasLeft = false;
  user: Credentials = {};
  byApp: Credentials = {};
  byKey: Credentials = {};
  refreshToken = '';

  private constructor(
    readonly town: Town,
    readonly id: string,
    readonly name: string,
    private readonly address: string,
  ) {}

  static async arrive(town: Town): Promise<Resident> {
    const { chance } = town;
    const name = `u${word()}`;
    // Limits also count by address.
    const address = `10.${chance.below(250)}.${chance.below(250)}.${chance.below(250)}`;
    const account = { email: `${name}@example.org`, username: name, password: PASSWORD };
    const { body } = await town.load.send({ 'X-Forwarded-For': address }, 'POST /auth/register', account);
    const resident = new Resident(town, body.user.id as string, name, address);
    resident.takesTokens(body);
    return resident;
  }

  takesTokens({ access_token, refresh_token = this.refreshToken }: Tokens): void {
    this.user = { Authorization: `Bearer ${access_token}`, 'X-Forwarded-For': this.address };
    this.refreshToken = refresh_token;
  }

  /** Needed before others get much, because the log-in may be older than five minutes. */
  async proves(): Promise<void> {
    const { status, body } = await this.does('POST /auth/reauthenticate', { password: PASSWORD });
    if (status === 200) this.takesTokens(body);
  }

  /** Makes an app, authorizes it, and subscribes it to events. */
  async settle(): Promise<void> {
    const wish = { name: `app ${word()}`, client_level: 'L2', requested_permissions: everything };
    const app = (await this.does('POST /apps', wish)).body;
    this.app = app.id as string;
    this.byApp = {
      'X-API-Key': app.api_key as string,
      'X-User-ID': this.id,
      'X-Forwarded-For': this.address,
    };
    const template = { template: 'transparent', name: word() };
    this.profile = (await this.does('POST /exposure-profiles/from-template', template)).body.id as string;
    await this.lets();
    const receiver = this.town.receiver(this.town.chance.below(8));
    const events = ['node.created', 'node.updated', 'node.deleted'];
    await this.town.load.send(this.byApp, 'POST /webhooks/subscribe', { webhook_url: receiver, events });
    for (const name of ['shelf', 'room', word()])
      this.tags.push((await this.does('POST /tags', { name })).body.id as string);
  }

  /** The app gets a permission, and the person a key of it. */
  async lets(): Promise<void> {
    await this.proves();
    const wish = { app_id: this.app, exposure_profile_id: this.profile };
    const { body } = await this.does('POST /authorizations', wish);
    if (body === null) return;
    this.authorization = body.id as string;
    this.byKey = { 'X-API-Key': body.user_key as string, 'X-Forwarded-For': this.address };
  }

  /** A request of the person in person. */
  does(what: string, body?: unknown, asked?: Asked): Promise<Reply> {
    return this.town.load.send(this.user, what, body, asked);
  }

  /** A request of the person, the app or the key, at random. */
  some(what: string, body?: unknown, asked?: Asked): Promise<Reply> {
    const by = this.town.chance.pick([this.user, this.byApp, this.byApp, this.byKey]);
    return this.town.load.send(by, what, body, asked);
  }

  /** Remembers the new thing of an answer. */
  keep(list: string[], { status, body }: Reply): void {
    // An item of a batch may have existed before.
    if (status !== 201 || list.includes(body.id as string)) return;
    list.push(body.id as string);
    if (list.length > KEPT) list.shift();
  }

  one(list: readonly string[]): string | null {
    return list.length === 0 ? null : this.town.chance.pick(list);
  }

  /** An id that nobody else will use. */
  take(list: string[]): string | null {
    const id = this.one(list);
    if (id !== null) list.splice(list.indexOf(id), 1);
    return id;
  }

  get text(): string {
    const { chance } = this.town;
    return Array.from({ length: 3 + chance.below(12) }, () => chance.pick(WORDS)).join(' ');
  }

  get note(): Record<string, unknown> {
    const { chance } = this.town;
    const kind = chance.once(2)
      ? { meaning_level: 'DATA', node_type: chance.pick(['NOTE', 'FACT']) }
      : { meaning_level: 'IDENTITY', node_type: chance.pick(['GOAL', 'BELIEF']) };
    return {
      ...kind,
      title: this.text,
      value: chance.once(10) ? this.text.repeat(200) : this.text,
      importance_score: chance.below(100) / 100,
      metadata: { properties: { mail: `${word()}@example.org`, count: chance.below(1_000) } },
      tags: chance.some(['shelf', 'room', 'sea', 'plans', chance.pick(WORDS)], 3),
    };
  }

  get vector(): number[] {
    return Array.from({ length: 64 }, () => this.town.chance.below(2_000) / 1_000 - 1);
  }

  /** Another resident. */
  get neighbour(): Resident | null {
    const others = this.town.residents.filter((one) => one !== this && !one.hasLeft && one.app !== '');
    return others.length === 0 ? null : this.town.chance.pick(others);
  }
}
