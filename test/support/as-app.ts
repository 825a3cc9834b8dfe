import { Client, type Download, type Options } from './client.js';

/** The path of a GET with the parameter by which a person reads as an app (rule 2.11). */
export const asApp = (path: string, appId: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}as_app=${appId}`;

/** A person who reads as one of their apps in every GET. */
export class ClientAsApp extends Client {
  private constructor(
    private readonly person: Client,
    private readonly appId: string,
  ) {
    super('', person.credentials);
  }

  static of(person: Client, appId: string): Client {
    return new ClientAsApp(person, appId);
  }

  override send(method: string, path: string, body?: unknown, options?: Options): Promise<Download> {
    return this.person.send(method, method === 'GET' ? asApp(path, this.appId) : path, body, options);
  }
}
