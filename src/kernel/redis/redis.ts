import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Redis as Client } from 'ioredis';
import { type Config } from '../../config/config.js';

/** The time limit of a command: its caller has a fallback without Redis. */
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_PAUSE_MS = 1_000;

/**
 * The connection to Redis, where REDIS_URL names one. No caller waits for it: while it is down commands fail at once
 * and their callers use their fallbacks, and it reconnects in the background. Each loss and return is logged once.
 */
export class Redis implements OnApplicationShutdown {
  private readonly logger = new Logger('redis');
  private isLost = false;

  /** @param client null if none is configured */
  private constructor(readonly client: Client | null) {
    client?.on('error', (error: Error) => this.lost(error));
    client?.on('close', () => this.lost(new Error('the connection was closed')));
    client?.on('ready', () => {
      if (this.isLost) this.logger.log('Redis is back');
      this.isLost = false;
    });
  }

  /** The client library is loaded only if Redis is configured: it is a large part of the start. */
  static async open({ redisUrl }: Config): Promise<Redis> {
    if (redisUrl === null) return new Redis(null);
    const { Redis: Client } = await import('ioredis');
    return new Redis(
      new Client(redisUrl, {
        commandTimeout: COMMAND_TIMEOUT_MS,
        connectTimeout: CONNECT_TIMEOUT_MS,
        enableOfflineQueue: false,
        maxRetriesPerRequest: 1,
        retryStrategy: (attempt) => Math.min(attempt * 50, MAX_PAUSE_MS),
      }),
    );
  }

  get state(): 'none' | 'up' | 'down' {
    if (this.client === null) return 'none';
    return this.client.status === 'ready' ? 'up' : 'down';
  }

  /** The client; null while Redis does not answer. */
  get ready(): Client | null {
    return this.state === 'up' ? this.client : null;
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }

  private lost(error: Error): void {
    if (!this.isLost)
      this.logger.warn({ err: error }, 'Redis is down; each process counts and works by itself');
    this.isLost = true;
  }
}
