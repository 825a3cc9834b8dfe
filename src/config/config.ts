import { Injectable } from '@nestjs/common';
import { totalmem } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { type EmbeddingsSettings, readEmbeddings } from './embeddings.js';
import { ConfigurationError, Environment } from './environment.js';
import { FAST_PATHS, type FastPath } from './fast-paths.js';
import { FREE_QUOTAS, NO_QUOTAS, PRO_QUOTAS, type QuotaLimits } from './quotas.js';

export { ConfigurationError, type EmbeddingsSettings };

export const TIERS = ['free', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Settings of the S3 bucket, if files are stored there. */
export interface S3Settings {
  bucket: string;
  /** Null: Amazon's own. */
  endpoint: string | null;
  region: string;
  forcePathStyle: boolean;
  /** Null: the credentials of the machine (a role). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
}

/** The server that sends letters. */
export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it, and always before a password is sent. */
  isSecure: boolean;
  login: { user: string; pass: string } | null;
  from: string;
}

/** `open`: any client registers itself; `documents`: only by a document on its own site; `off`: only by a developer. */
const OAUTH_REGISTRATIONS = ['open', 'documents', 'off'] as const;

export interface OAuthSettings {
  registration: (typeof OAUTH_REGISTRATIONS)[number];
  accessTokenHours: number;
}

const MIB = 1024 * 1024;
/** The least and the most MiB of bodies, and of answers, of all callers that a process holds unless it is set. */
const [LEAST_SHARE, MOST_SHARE] = [64, 256];

/**
 * The environment, typed and checked once at start (the table of names is in docs/operating.md). Nothing else in the
 * service reads process.env.
 */
@Injectable()
export class Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** The proxies whose X-Forwarded-For is believed: a number of hops before us, or proxies by address; false: none. */
  readonly trustProxy: number | string[] | false;
  readonly dataDir: string;
  /** postgres://… or null: embedded database below dataDir; 'memory://' keeps it in memory (tests). */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  /** False: each unit of work is written plainly, one statement after another. */
  readonly writeBatching: boolean;
  /** Fast paths that this process leaves out. */
  readonly fastPathsOff: readonly FastPath[];
  /** Null: files are in dataDir. */
  readonly s3: S3Settings | null;
  /** redis://… or rediss://…; null: queues and counters in this process. */
  readonly redisUrl: string | null;
  readonly rateLimits: boolean;
  /** Factor on the requests of a tier for people who call with a token. */
  readonly firstPartyRateMultiple: number;
  readonly defaultTier: Tier;
  /** Limits of what an owner may have, by tier. */
  readonly quotas: Readonly<Record<Tier, QuotaLimits>>;
  /** PEM of the ES256 key; null: generated into dataDir. */
  readonly jwtPrivateKey: string | null;
  /** 32 bytes; null: generated into dataDir. */
  readonly encryptionKey: Buffer | null;
  /** Null: no letter leaves this machine. */
  readonly smtp: SmtpSettings | null;
  /** True on a developer's own machine: without an SMTP server the links of letters are logged. */
  readonly isDevelopment: boolean;
  /** True if webhooks may go to plain http and to this machine; for development. */
  readonly webhookAllowPrivate: boolean;
  /** Waits before the second and each further attempt of a delivery, in seconds. */
  readonly webhookRetrySeconds: readonly number[];
  /** Clients that may register themselves, and the life of access tokens. */
  readonly oauth: OAuthSettings;
  /** False on processes that only serve HTTP: they send neither webhooks nor letters. */
  readonly webhookWorkers: boolean;
  /** Null: the service computes no vectors, and no text leaves it for that. */
  readonly embeddings: EmbeddingsSettings | null;
  readonly corsOrigins: string[];
  /** The bearer token of `GET /metrics`; null: only this machine is served. */
  readonly metricsToken: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];

  /** Bytes of bodies and answers that one caller, and all together, may have under way. */
  readonly callerBytes: number;
  readonly processBytes: number;
  /** Ids of archives that all imports of a process may hold in memory at once. */
  readonly importIds: number;
  /** The time in which a JSON body must arrive. */
  readonly bodySeconds: number;
  /** Streams and waiting pulls of one app for one user, of one person over all of their apps, and of all. */
  readonly callerStreams: number;
  readonly personStreams: number;
  readonly processStreams: number;

  /** @param memory bytes that this process may have */
  constructor(environment: Record<string, string | undefined>, memory = ownMemory()) {
    const read = new Environment(environment);
    this.host = read.text('HOST') ?? '127.0.0.1';
    this.port = read.integer('PORT', 3000, [0, 65535]);
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    const publicUrl = read.origin('PUBLIC_URL');
    this.publicUrl = (publicUrl ?? `http://${host}:${this.port}`).replace(/\/+$/, '');
    this.smtp = readSmtp(read, publicUrl);
    this.isDevelopment = read.text('NODE_ENV') === 'development';
    this.trustProxy = read.proxies('TRUST_PROXY');
    this.dataDir = absolute(read.text('DATA_DIR') ?? './data');
    this.databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:', 'memory:']);
    this.databasePool = read.integer('DATABASE_POOL', 10, [1, 1000]);
    this.writeBatching = read.oneOf('WRITE_BATCHING', ['on', 'off'], 'on') === 'on';
    this.fastPathsOff = read.someOf('FAST_PATHS_OFF', FAST_PATHS);
    this.s3 = readS3(read);
    this.redisUrl = read.url('REDIS_URL', ['redis:', 'rediss:']);
    this.rateLimits = read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on';
    this.firstPartyRateMultiple = read.integer('FIRST_PARTY_RATE_MULTIPLE', 10, [1, 1000]);
    this.defaultTier = read.oneOf('DEFAULT_TIER', TIERS, 'free');
    this.quotas = {
      free: read.quotas('QUOTAS_FREE', FREE_QUOTAS),
      pro: read.quotas('QUOTAS_PRO', PRO_QUOTAS),
      enterprise: read.quotas('QUOTAS_ENTERPRISE', NO_QUOTAS),
    };
    this.jwtPrivateKey = read.text('JWT_PRIVATE_KEY')?.replaceAll('\\n', '\n') ?? null;
    this.encryptionKey = read.key('ENCRYPTION_KEY', 32);
    this.webhookAllowPrivate = read.oneOf('WEBHOOK_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true';
    this.webhookRetrySeconds = read.seconds('WEBHOOK_RETRY_SECONDS', [60, 300, 1800, 7200, 43_200]);
    this.webhookWorkers = read.oneOf('WEBHOOK_WORKERS', ['true', 'false'], 'true') === 'true';
    this.embeddings = readEmbeddings(read);
    this.oauth = {
      registration: read.oneOf('OAUTH_REGISTRATION', OAUTH_REGISTRATIONS, 'open'),
      accessTokenHours: read.integer('OAUTH_ACCESS_TOKEN_HOURS', 24, [1, 8760]),
    };
    this.callerBytes = read.integer('CALLER_MIB', 32, [8, 4096]) * MIB;
    this.processBytes = read.integer('PROCESS_MIB', shareOfMemory(memory), [8, 65_536]) * MIB;
    this.importIds = read.integer('IMPORT_IDS', 4_000_000, [1, 100_000_000]);
    this.bodySeconds = read.integer('BODY_SECONDS', 30, [1, 3600]);
    this.callerStreams = read.integer('CALLER_STREAMS', 10, [1, 10_000]);
    this.personStreams = read.integer('PERSON_STREAMS', 50, [1, 10_000]);
    this.processStreams = read.integer('PROCESS_STREAMS', 1000, [1, 100_000]);
    this.corsOrigins = read.list('CORS_ORIGINS');
    this.metricsToken = read.text('METRICS_TOKEN');
    this.logLevel = read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info');
  }

  get embedded(): boolean {
    return this.databaseUrl === null || this.databaseUrl.startsWith('memory:');
  }
}

/** Bytes of the machine, or of the container where that has fewer. */
function ownMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** An eighth, in MiB: the other direction holds as much, and what is made of a body a multiple of it. */
const shareOfMemory = (memory: number): number =>
  Math.min(MOST_SHARE, Math.max(LEAST_SHARE, Math.floor(memory / 8 / MIB)));

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path));

function readSmtp(read: Environment, publicUrl: string | null): SmtpSettings | null {
  const [text, from] = [read.url('SMTP_URL', ['smtp:', 'smtps:']), read.text('MAIL_FROM')];
  if (text === null) return null;
  if (from === null || !/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(from))
    throw new ConfigurationError('MAIL_FROM must be an e-mail address if SMTP_URL is set');
  // Links to the machine itself are useless to recipients of letters.
  if (publicUrl === null) throw new ConfigurationError('PUBLIC_URL must be set if SMTP_URL is');
  const { protocol, hostname, port, username, password } = new URL(text);
  if (hostname === '') throw new ConfigurationError('SMTP_URL must name a host');
  const isSecure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    isSecure,
    login:
      username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    from,
  };
}

function readS3(read: Environment): S3Settings | null {
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) {
    if (read.text('S3_ENDPOINT') === null) return null;
    throw new ConfigurationError('S3_BUCKET must be set if S3_ENDPOINT is');
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
