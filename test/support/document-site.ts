import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { REDIRECT_URI } from './oauth.js';

/** A site on this machine that serves documents of clients. */
export class DocumentSite {
  private readonly answers = new Map<string, RequestListener>();
  private readonly visits = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<DocumentSite> {
    const server = createServer();
    const site = new DocumentSite(server);
    server.on('request', (request, response) => {
      const path = request.url as string;
      site.visits.set(path, site.visitsOf(path) + 1);
      site.answers.get(path)?.(request, response);
      if (!site.answers.has(path)) response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return site;
  }

  /** The address of a path, which is a client_id. */
  at(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  answer(path: string, listener: RequestListener): string {
    this.answers.set(path, listener);
    return this.at(path);
  }

  /** Serves a document. @returns its client_id */
  serve(path: string, fields: object = {}, headers: Record<string, string> = {}): string {
    const document = { ...this.document(path), ...fields };
    return this.answer(path, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(document));
    });
  }

  /** The least valid document for a path. */
  document(path: string): Record<string, unknown> {
    return { client_id: this.at(path), client_name: 'Reader', redirect_uris: [REDIRECT_URI] };
  }

  visitsOf(path: string): number {
    return this.visits.get(path) ?? 0;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
