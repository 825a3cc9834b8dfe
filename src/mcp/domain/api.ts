/** An object of JSON. */
export type Json = Record<string, unknown>;

export interface ApiCall {
  query?: Readonly<Record<string, unknown>>;
  body?: Json;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The API of the service, called for one client of MCP: the only thing that tools can do. */
export interface Api {
  /**
   * @param path below the version prefix, with encoded parts
   * @throws ApiRefusal for an answer that is no success
   */
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, call?: ApiCall): Promise<ApiAnswer>;
  /**
   * Follows the changes that the client is shown, from the moment of the promise until its access ends or changes.
   * @throws ApiRefusal
   */
  follow(): Promise<AsyncIterable<ChangedNodes>>;
}

export interface ApiAnswer {
  status: number;
  body: Json;
  /** The entity tag of what was read or written; undefined where the answer has none. */
  entityTag?: string | undefined;
}

export interface ChangedNodes {
  nodeIds: string[];
  /** True if a node came or left. */
  isListChanged: boolean;
}

/** An answer of the API that is no success. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Json,
  ) {
    super(message);
    this.name = 'ApiRefusal';
  }

  /** True if the person can lift the refusal by allowing more; a full quota has the same status. */
  get isOfPermission(): boolean {
    return this.code === 'PERMISSION_DENIED';
  }
}

/** The refusal that an error body of the API means: its envelope, or the flat body of a rate limit. */
export function refusalOf(status: number, body: unknown): ApiRefusal {
  const { error, retry_after: seconds } = (body ?? {}) as { error?: unknown; retry_after?: number };
  if (typeof error === 'string')
    return new ApiRefusal(status, 'RATE_LIMITED', error, { retry_after: seconds });
  const { code, message, details } = (error ?? {}) as { code?: string; message?: string; details?: Json };
  return new ApiRefusal(
    status,
    code ?? 'INTERNAL_ERROR',
    message ?? 'The service gave no reason',
    details ?? {},
  );
}

/** One part of a path. */
export const segment = (value: unknown): string => encodeURIComponent(String(value));

/** A path with its query; absent values are left out. */
export function withQuery(path: string, query: ApiCall['query'] = {}): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return path;
  return `${path}?${new URLSearchParams(Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))).toString()}`;
}
