import { type InnerRequests, type Origin } from '../../kernel/http/inner-requests.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { HttpApi, type HttpAnswer, type HttpRequest } from './http-api.js';

export interface InnerClient {
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
    const { origin, gone } = this.client;
    const answer = await this.requests.send(origin, {
      method,
      path: `/${VERSION_PREFIX}/${path}`,
      headers: { ...this.client.headers, ...headers },
      body,
      signal: gone,
    });
    return { status: answer.statusCode as number, body: answer };
  }
}
