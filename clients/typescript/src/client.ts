import createFetchClient, { type Client as FetchClient, type Middleware } from 'openapi-fetch';
import { type paths } from './schema.js';

/** The caller: a person by an access token, an app by its key (and the user for whom it acts), or nobody. */
export type Credentials = { accessToken: string } | { apiKey: string; userId?: string } | null;

export interface ClientOptions {
  /** The address of the service, such as `https://graph.example.org`; paths of requests begin with `/api/v1`. */
  baseUrl: string;
  /** A function is called for each request, so that tokens can be refreshed. */
  credentials?: Credentials | (() => Credentials | Promise<Credentials>);
  fetch?: (request: Request) => Promise<Response>;
}

/** `client.GET('/api/v1/nodes/{node_id}', { params: { path: { node_id } } })`: typed by openapi.json. */
export type Client = FetchClient<paths>;

/**
 * Every answer above 399 is thrown as {@link ApiError}. Otherwise `data` is set; its type cannot know that and stays `T
 * | undefined`.
 */
export function createClient({ baseUrl, credentials = null, fetch }: ClientOptions): Client {
  const client = createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(fetch ? { fetch } : {}),
  });
  client.use(identified(credentials), throwing);
  return client;
}

/** An error answer of the service. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** A code such as `NODE_NOT_FOUND`. */
    readonly code: string,
    message: string,
    readonly details: unknown,
    readonly requestId: string | null,
    /** Set for a 429: seconds until it is worth trying again. */
    readonly retryAfter: number | null,
  ) {
    super(`${status} ${code}: ${message}`);
    this.name = 'ApiError';
  }
}

const identified = (given: NonNullable<ClientOptions['credentials']> | null): Middleware => ({
  async onRequest({ request }) {
    const credentials = typeof given === 'function' ? await given() : given;
    if (credentials === null) return request;
    if ('accessToken' in credentials)
      request.headers.set('Authorization', `Bearer ${credentials.accessToken}`);
    else {
      request.headers.set('X-API-Key', credentials.apiKey);
      if (credentials.userId !== undefined) request.headers.set('X-User-ID', credentials.userId);
    }
    return request;
  },
});

/** A 429 is flat (specification, Errors). */
interface ErrorBody {
  error?: { code?: string; message?: string; details?: unknown } | string;
}

const throwing: Middleware = {
  async onResponse({ response }) {
    if (response.status < 400) return;
    const body = (await response.json().catch(() => ({}))) as ErrorBody;
    const said =
      typeof body.error === 'string' ? { code: 'RATE_LIMITED', message: body.error } : (body.error ?? {});
    const seconds = Number(response.headers.get('Retry-After') ?? NaN);
    throw new ApiError(
      response.status,
      said.code ?? 'UNKNOWN',
      said.message ?? response.statusText,
      'details' in said ? said.details : undefined,
      response.headers.get('X-Request-Id'),
      Number.isFinite(seconds) ? seconds : null,
    );
  },
};
