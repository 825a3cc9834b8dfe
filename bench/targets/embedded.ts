import { join } from 'node:path';
import { startServer } from './process.js';

export type Json = Record<string, string>;

/** A service with an embedded database in this folder, and its API for a person who holds a token. */
export async function startEmbedded(folder: string) {
  const service = await startServer({
    name: 'service',
    script: 'dist/main.js',
    environment: { DATA_DIR: folder, DATABASE_URL: '', RATE_LIMITS: 'off', NODE_ENV: 'development' },
    readyPath: '/health/ready',
    log: join(folder, 'log'),
  });
  const origin = `http://127.0.0.1:${service.port}`;

  async function call(path: string, body: object, token?: string): Promise<Json> {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Json;
  }

  return { ...service, origin, call };
}
