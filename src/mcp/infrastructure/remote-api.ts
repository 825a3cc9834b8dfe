import { Readable } from 'node:stream';
import { ApiRefusal } from '../domain/api.js';
import { HttpApi, type HttpAnswer, type HttpRequest } from './http-api.js';

export interface RemoteService {
  /** The address of its API, with the version prefix. */
  base: string;
  /** The credential. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client has left. */
  gone: AbortSignal;
}

/** The API of a running service. */
export class RemoteApi extends HttpApi {
  constructor(private readonly service: RemoteService) {
    super();
  }

  protected async send({ method, path, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const { base, headers: credential, gone } = this.service;
    // A redirect would carry the credential to another address.
    const answer = await fetch(`${base}/${path}`, {
      method,
      headers: { ...credential, ...headers },
      body: body ?? null,
      signal: gone,
      redirect: 'error',
    }).catch((error: unknown) => {
      if (gone.aborted) throw error;
      throw new ApiRefusal(503, 'SERVICE_UNAVAILABLE', `${new URL(base).origin} cannot be reached`, {});
    });
    const { status, body: stream } = answer;
    return {
      status,
      body: stream === null ? Readable.from([]) : Readable.fromWeb(stream as never),
      entityTag: answer.headers.get('etag') ?? undefined,
    };
  }
}
