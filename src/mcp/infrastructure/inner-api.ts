import { type InnerRequests, type Origin } from '../../kernel/inner-requests.js';
import { HttpApi, type HttpAnswer, type HttpRequest } from './http-api.js';

export interface InnerClient {
  /** The path of the API, the version prefix. */
  base: string;
  origin: Origin;
  /** The credential of the outer request. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client of the outer request has left. */
  gone: AbortSignal;
}

/** The API of this process, called with the credential of the request at hand. */
export class InnerApi extends HttpApi {
  constructor(
    private readonly requests: InnerRequests,
    private readonly client: InnerClient,
  ) {
    super();
  }

  protected async send({ method, path, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const { base, origin, gone } = this.client;
    const answer = await this.requests.send(origin, {
      method,
      path: `${base}/${path}`,
      headers: { ...this.client.headers, ...headers },
      body,
      signal: gone,
    });
    return { status: answer.statusCode as number, body: answer, entityTag: answer.headers.etag };
  }
}
