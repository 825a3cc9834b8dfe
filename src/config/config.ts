import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';

export const TIERS = ['free', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Where files are, when they are in S3. */
export interface S3Settings {
  bucket: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  region: string;
  forcePathStyle: boolean;
  /** Null: as the machine has them (a role). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
}

/** A configuration value that the service cannot start with. The message is one line for the operator. */
export class ConfigurationError extends Error {}

/**
 * The environment, typed and checked once at start (the table of names is in README.md). Nothing else in the
 * service reads process.env.
 */
@Injectable()
export class Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** Whose X-Forwarded-For is believed: that many hops before us, or proxies by address; false: nobody's. */
  readonly trustProxy: number | string[] | false;
  readonly dataDir: string;
  /** postgres://… or null: embedded database below dataDir; 'memory://' keeps it in memory (tests). */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  /** Null: files are in dataDir. */
  readonly s3: S3Settings | null;
  /** redis://… or rediss://…; null: queues and counters in this process. */
  readonly redisUrl: string | null;
  readonly rateLimits: boolean;
  readonly defaultTier: Tier;
  /** PEM of the ES256 key; null: generated into dataDir. */
  readonly jwtPrivateKey: string | null;
  /** 32 bytes; null: generated into dataDir. */
  readonly encryptionKey: Buffer | null;
  /** Whether webhooks may go to plain http and to this machine; for development. */
  readonly webhookAllowPrivate: boolean;
  /** Waits before the second and each further attempt of a delivery, in seconds. */
  readonly webhookRetrySeconds: readonly number[];
  /** False on processes that only serve HTTP. */
  readonly webhookWorkers: boolean;
  readonly corsOrigins: string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];

  constructor(environment: Record<string, string | undefined>) {
    const read = reader(environment);
    this.host = read.text('HOST') ?? '127.0.0.1';
    this.port = read.integer('PORT', 3000, 0, 65535);
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    this.publicUrl = (read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://${host}:${this.port}`).replace(
      /\/+$/,
      '',
    );
    this.trustProxy = read.proxies('TRUST_PROXY');
    this.dataDir = absolute(read.text('DATA_DIR') ?? './data');
    this.databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:', 'memory:']);
    this.databasePool = read.integer('DATABASE_POOL', 10, 1, 1000);
    this.s3 = readS3(read);
    this.redisUrl = read.url('REDIS_URL', ['redis:', 'rediss:']);
    this.rateLimits = read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on';
    this.defaultTier = read.oneOf('DEFAULT_TIER', TIERS, 'free');
    this.jwtPrivateKey = read.text('JWT_PRIVATE_KEY')?.replaceAll('\\n', '\n') ?? null;
    this.encryptionKey = read.key('ENCRYPTION_KEY', 32);
    this.webhookAllowPrivate = read.oneOf('WEBHOOK_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true';
    this.webhookRetrySeconds = read.seconds('WEBHOOK_RETRY_SECONDS', [60, 300, 1800, 7200, 43_200]);
    this.webhookWorkers = read.oneOf('WEBHOOK_WORKERS', ['true', 'false'], 'true') === 'true';
    this.corsOrigins = read.list('CORS_ORIGINS');
    this.logLevel = read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info');
  }

  get embedded(): boolean {
    return this.databaseUrl === null || this.databaseUrl.startsWith('memory:');
  }
}

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path));

function readS3(read: ReturnType<typeof reader>): S3Settings | null {
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) {
    if (read.text('S3_ENDPOINT') === null) return null;
    throw new ConfigurationError('S3_BUCKET must be set where S3_ENDPOINT is');
  }
  const [accessKeyId, secretAccessKey] = [read.text('AWS_ACCESS_KEY_ID'), read.text('AWS_SECRET_ACCESS_KEY')];
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw new ConfigurationError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  }
  const sessionToken = read.text('AWS_SESSION_TOKEN');
  return {
    bucket,
    endpoint: read.url('S3_ENDPOINT', ['http:', 'https:']),
    region: read.text('S3_REGION') ?? read.text('AWS_REGION') ?? 'us-east-1',
    forcePathStyle: read.oneOf('S3_FORCE_PATH_STYLE', ['true', 'false'], 'false') === 'true',
    credentials:
      accessKeyId === null || secretAccessKey === null
        ? null
        : { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) },
  };
}

const PROXY_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, a network such as 10.0.0.0/8, or one of Express's names for networks. */
function isProxy(text: string): boolean {
  if (PROXY_NETWORKS.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function reader(environment: Record<string, string | undefined>) {
  const text = (name: string): string | null => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const fail = (name: string, expected: string): never => {
    throw new ConfigurationError(`${name} must be ${expected}`);
  };
  return {
    text,
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === null) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : NaN;
      return number >= min && number <= max ? number : fail(name, `an integer from ${min} to ${max}`);
    },
    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const value = text(name);
      if (value === null) return fallback;
      return values.includes(value as T) ? (value as T) : fail(name, `one of ${values.join(', ')}`);
    },
    url(name: string, protocols: string[]): string | null {
      const value = text(name);
      if (value === null) return null;
      const expected = `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
      if (!URL.canParse(value))
        return value === 'memory://' && protocols.includes('memory:') ? value : fail(name, expected);
      return protocols.includes(new URL(value).protocol) ? value : fail(name, expected);
    },
    key(name: string, bytes: number): Buffer | null {
      const value = text(name);
      if (value === null) return null;
      const key = Buffer.from(value, 'base64');
      return key.length === bytes ? key : fail(name, `${bytes} bytes in base64`);
    },
    proxies(name: string): number | string[] | false {
      const list = this.list(name);
      const [first] = list;
      if (first === undefined) return false;
      if (list.length === 1 && /^[1-9]\d?$/.test(first)) return Number(first);
      return list.every(isProxy)
        ? list
        : fail(name, 'a number of hops, or addresses and networks of proxies');
    },
    seconds(name: string, fallback: readonly number[]): readonly number[] {
      const list = this.list(name);
      if (list.length === 0) return fallback;
      const isWait = (wait: string): boolean => /^\d{1,7}(\.\d{1,3})?$/.test(wait);
      if (!list.every(isWait)) fail(name, 'numbers of seconds, separated by commas');
      return list.map(Number);
    },
    list(name: string): string[] {
      return (text(name) ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    },
  };
}
