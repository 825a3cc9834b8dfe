import { type INestApplicationContext } from '@nestjs/common';
import { Config } from '../config/config.js';
import { InnerRequests } from '../kernel/inner-requests.js';
import { LOOPBACK } from '../identity/index.js';
import { packageVersion } from '../kernel/http/openapi/openapi.js';
import { VERSION_PREFIX } from '../kernel/http/version-prefix.js';
import { logToStandardError } from '../kernel/observability/root-logger.js';
import { type Api, ApiRefusal, InnerApi, linksOf, RemoteApi, speakOverStdio } from '../mcp/index.js';
import { explain, UsageError, withHttpService } from './operator.js';

type Headers = Readonly<Record<string, string>>;

/** The assistant, known by its credential. */
interface Client {
  headers: Headers;
  /** Aborted when its connection ends, or must end. */
  over: AbortController;
}

/**
 * Lets an assistant on this machine speak MCP over standard input and output, to a running service or to the one on the
 * database of the environment.
 * @throws UsageError for a missing or refused credential
 */
export async function assist(url?: string): Promise<void> {
  logToStandardError();
  const over = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => over.abort());
  const client = { headers: credentialOf(process.env), over };
  if (url === undefined)
    return withHttpService((app) => speak(innerApis(app, client), app.get(Config).publicUrl, client));
  const origin = originOf(url);
  const api = new RemoteApi({
    base: `${origin}/${VERSION_PREFIX}`,
    headers: client.headers,
    gone: over.signal,
  });
  return speak(() => api, origin, client);
}

async function speak(apiFor: (tool: string) => Api, url: string, { over }: Client): Promise<void> {
  const failed = (error: unknown): void => {
    if (!over.signal.aborted) process.stderr.write(`error: ${explain(error)}\n`);
  };
  try {
    await requireAccess(apiFor('initialize'));
    await speakOverStdio({ apiFor, links: linksOf(url), version: packageVersion(), failed }, over.signal);
  } finally {
    over.abort();
  }
}

const innerApis =
  (app: INestApplicationContext, { headers, over }: Client) =>
  (tool: string) =>
    new InnerApi(app.get(InnerRequests), {
      base: `/${VERSION_PREFIX}`,
      origin: { address: '127.0.0.1', tool },
      headers,
      gone: over.signal,
    });

/** The headers of the credential. Arguments would show it to the other programs of the machine. */
function credentialOf({ PIG_TOKEN, PIG_KEY, PIG_USER_ID }: NodeJS.ProcessEnv): Headers {
  const hasToken = isSet(PIG_TOKEN);
  if (hasToken && isSet(PIG_KEY)) throw new UsageError('set PIG_TOKEN or PIG_KEY, not both');
  if (hasToken) return { Authorization: `Bearer ${PIG_TOKEN}` };
  if (!isSet(PIG_KEY))
    throw new UsageError(
      'set PIG_TOKEN to an access token, or PIG_KEY to an API key and PIG_USER_ID to the person’s id',
    );
  return { 'X-API-Key': PIG_KEY, ...(isSet(PIG_USER_ID) ? { 'X-User-ID': PIG_USER_ID } : {}) };
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

/** The origin of a service's address. The credential leaves this machine only encrypted. */
function originOf(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : null;
  const isSafe = address?.protocol === 'https:' || LOOPBACK.has(address?.hostname ?? '');
  if (address === null || !isSafe || !/^https?:$/.test(address.protocol) || address.pathname !== '/')
    throw new UsageError('--url needs an https address without a path, or an http address of this machine');
  return address.origin;
}

async function requireAccess(api: Api): Promise<void> {
  try {
    await api.call('GET', 'authorizations/current');
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const isRefused = error.status < 500;
    throw new UsageError(`${isRefused ? 'the service refuses the credential: ' : ''}${error.message}`);
  }
}
