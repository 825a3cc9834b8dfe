import { type NestExpressApplication } from '@nestjs/platform-express';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/kernel/clock.js';
import { Draining } from '../../src/kernel/http/draining.js';
import { PasswordHasher } from '../../src/identity/infrastructure/password-hasher.js';
import { mayNeedFreshLogIn } from './step-up-operations.js';
import { Agents } from './agents.js';
import { Client, type Download, type Options, type Witness } from './client.js';
import { freshDatabase } from './database.js';
import { everything, type ProfileBody, type Requested } from './defaults.js';
import { type HoldClock, startProcesses } from './processes.js';

export interface TestApp {
  id: string;
  apiKey: string;
  /** The app acting for a user, by app key and X-User-ID. */
  as(user: TestUser): Client;
  /** The app's own endpoints, without a user. */
  alone: Client;
}

/** A registered person: a client over JWT that can authorize apps. */
export class TestUser extends Client {
  private readonly proofs: string[] = [];

  constructor(
    private readonly world: World,
    readonly id: string,
    readonly name: string,
    readonly token: string,
    private readonly password = 'correct horse battery',
  ) {
    super(world.origin, { Authorization: `Bearer ${token}` }, world.witness, world.agents);
  }

  /**
   * Behaves like a first-party client: asks for the password if the log-in is too old, and repeats the request. Only for
   * operations that may need a fresh log-in; a refusal of any other is the answer, so that its test fails.
   */
  override async send(
    method: string,
    path: string,
    body?: unknown,
    options: Options = {},
  ): Promise<Download> {
    const answer = await super.send(method, path, body, options);
    const isRefused = answer.status === 401 && answer.body?.error?.code === 'REAUTHENTICATION_REQUIRED';
    if (!isRefused || !mayNeedFreshLogIn(method, path)) return answer;
    this.proofs.push(`${method} ${path}`);
    const proved = await super.send('POST', '/auth/reauthenticate', { password: this.password });
    const Authorization = `Bearer ${proved.body.access_token}`;
    return super.send(method, path, body, { ...options, headers: { ...options.headers, Authorization } });
  }

  /** The requests since the last call that needed a new proof of identity and were repeated with one, without ids. */
  takeProofs(): string[] {
    return this.proofs
      .splice(0)
      .map((request) => request.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, ':id'));
  }

  /** A new log-in for tests that outlast an access token; all later requests use it. */
  async logsIn(): Promise<void> {
    const account = { email: `${this.name}@example.org`, password: this.password };
    const answer = await super.send('POST', '/auth/login', account);
    if (answer.status !== 200) throw new Error(`log-in of ${this.name}: ${answer.status} ${answer.text}`);
    this.credentials.Authorization = `Bearer ${answer.body.access_token}`;
  }

  /** Makes a profile (or takes the transparent template) and authorizes the app with it. */
  async lets(app: TestApp, profile: ProfileBody | 'transparent' = 'transparent'): Promise<Client> {
    await this.authorizes(app, profile);
    return app.as(this);
  }

  async authorizes(app: TestApp, profile: ProfileBody | 'transparent' = 'transparent') {
    const name = `profile ${this.world.number()}`;
    const made =
      profile === 'transparent'
        ? await this.post('/exposure-profiles/from-template', { template: 'transparent', name })
        : await this.post('/exposure-profiles', { name, ...profile });
    if (made.status !== 201) throw new Error(`profile: ${made.status} ${made.text}`);
    const authorized = await this.post('/authorizations', {
      app_id: app.id,
      exposure_profile_id: made.body.id,
    });
    if (authorized.status >= 300) throw new Error(`authorization: ${authorized.status} ${authorized.text}`);
    return { profile: made.body, authorization: authorized.body };
  }
}

/**
 * The real service on a fresh database: PGlite in memory, or with TEST_DATABASE_URL a database of its own on that
 * PostgreSQL. `start` is for tests that need only HTTP: with TEST_PROCESSES the built service answers them, in that
 * many processes, each request of a client, and each other connection, by another one in turn.
 * `startHere` is for tests that use the service's objects.
 */
export class World {
  private counter = 0;
  private developer: Promise<TestUser> | null = null;
  witness: Witness = () => undefined;

  private constructor(
    private readonly served: NestExpressApplication | null,
    readonly origin: string,
    readonly agents: Agents,
    private readonly running: { holdClock: HoldClock; cleanUp: () => Promise<void> },
  ) {}

  /** The service in this process; a world of several processes has none. */
  get nest(): NestExpressApplication {
    if (this.served === null) throw new Error('this test reaches into the service: it needs startHere');
    return this.served;
  }

  static async start(environment: Record<string, string> = {}): Promise<World> {
    const processes = Number(process.env.TEST_PROCESSES ?? '0');
    if (processes === 0) return this.startHere(environment);
    const { settings, remove } = await surroundings(environment);
    const { origin, ports, holdClock, stop } = await startProcesses(processes, settings, QUICK);
    const cleanUp = async (): Promise<void> => {
      await stop();
      await remove();
    };
    return new World(null, origin, new Agents(ports), { holdClock, cleanUp });
  }

  static async startHere(environment: Record<string, string> = {}): Promise<World> {
    const { settings, remove } = await surroundings(environment);
    // Worlds of processes need not load it.
    const { configureApp, createService } = await import('../../src/configure-app.js');
    const app = await createService(new Config(settings));
    Object.assign(app.get(PasswordHasher), { cost: QUICK });
    Object.assign(app.get(Draining), { graceMs: 0 });
    await configureApp(app);
    await app.listen(0, '127.0.0.1');
    // A machine that stalls for seconds must not lose a kept connection.
    app.getHttpServer().keepAliveTimeout = 600_000;
    const { port } = app.getHttpServer().address() as AddressInfo;
    const holdClock: HoldClock = async (at) => void (app.get(Clock).now = () => at);
    const cleanUp = async (): Promise<void> => {
      await app.close();
      await remove();
    };
    return new World(app, `http://127.0.0.1:${port}`, new Agents([port]), { holdClock, cleanUp });
  }

  /** Requests under way are answered first. */
  async stop(): Promise<void> {
    await this.running.cleanUp();
    this.agents.end();
  }

  /** Stops the clock of all its processes at a time. */
  holdClock(at: Date): Promise<void> {
    return this.running.holdClock(at);
  }

  number(): number {
    return ++this.counter;
  }

  /** A client without any credential. */
  get api(): Client {
    return new Client(this.origin, {}, this.witness, this.agents);
  }

  async user(name = `user${this.number()}`, body: Record<string, unknown> = {}): Promise<TestUser> {
    const answer = await this.api.post('/auth/register', {
      email: `${name}@example.org`,
      username: name,
      password: 'correct horse battery',
      ...body,
    });
    if (answer.status !== 201) throw new Error(`register ${name}: ${answer.status} ${answer.text}`);
    const { user, access_token } = answer.body;
    return new TestUser(this, user.id, name, access_token, body.password as string | undefined);
  }

  /** An app of the only developer of this world; by default it requests everything. */
  async app({
    requested = everything,
    level = 'L2',
  }: { requested?: Requested; level?: 'L1' | 'L2' } = {}): Promise<TestApp> {
    const body = { name: `app ${this.number()}`, client_level: level, requested_permissions: requested };
    const register = async () => (await (this.developer ??= this.user())).post('/apps', body);
    let answer = await register();
    if (answer.status === 401) {
      // Tests move clocks, and tokens expire.
      this.developer = null;
      answer = await register();
    }
    if (answer.status !== 201) throw new Error(`app: ${answer.status} ${answer.text}`);
    const apiKey = answer.body.api_key as string;
    const client = (headers: Record<string, string>) =>
      new Client(this.origin, { 'X-API-Key': apiKey, ...headers }, this.witness, this.agents);
    return { id: answer.body.id, apiKey, alone: client({}), as: (user) => client({ 'X-User-ID': user.id }) };
  }
}

/** The cost of hashing passwords in tests: thousands of persons register, and nobody attacks them. */
const QUICK = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** A database and a folder of one world's own, and the settings that tests have by default. */
async function surroundings(environment: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pig-test-'));
  const database = await freshDatabase();
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    RATE_LIMITS: 'off',
    // Tables and stories let in more apps than a person does.
    QUOTAS_FREE: 'exposure_profiles=none',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    REDIS_URL: process.env.REDIS_URL ?? '',
    // Deliveries are made when a test calls for them; otherwise they would interfere with its statements.
    WEBHOOK_WORKERS: 'false',
    // Letters are then written without a mail server.
    NODE_ENV: 'development',
    ...environment,
  };
  const remove = async (): Promise<void> => {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { settings, remove };
}
