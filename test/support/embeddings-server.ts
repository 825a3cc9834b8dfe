import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

interface Received {
  headers: IncomingHttpHeaders;
  path: string;
  model: string;
  input: string[];
}

type Answer = (response: ServerResponse, request: Received) => void;

/** Words of one meaning: texts with any of them are near each other. */
const MEANINGS = [
  ['boat', 'sail', 'yacht', 'ship'],
  ['bread', 'baker', 'loaf', 'oven'],
  ['guitar', 'music', 'song', 'melody'],
];

/** One number for each meaning, and a small last one, so that no vector is all zeros. */
const vectorOf = (text: string): number[] => [
  ...MEANINGS.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length),
  0.01,
];

/** A service that computes vectors, as OpenAI's protocol has it: it records requests and answers as configured. */
export class EmbeddingsServer {
  readonly received: Received[] = [];
  /** Answers of the next requests, before it answers with vectors again. */
  readonly answers: Answer[] = [];
  /** Decides about each request after the configured answers; null: it answers with vectors. */
  judge: (request: Received) => Answer | null = () => null;
  #arrived: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<EmbeddingsServer> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const made = new EmbeddingsServer(server, `http://127.0.0.1:${port}/v1`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { model, input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        made.answer(response, { headers: request.headers, path: request.url ?? '', model, input });
      });
    });
    return made;
  }

  /** The settings of a service that uses it. */
  get settings(): Record<string, string> {
    return {
      EMBEDDINGS_URL: this.url,
      EMBEDDINGS_MODEL: 'meanings',
      EMBEDDINGS_API_KEY: 'a-secret-key-of-the-operator',
      EMBEDDINGS_ALLOW_PRIVATE: 'true',
    };
  }

  /** Every text that it was sent. */
  get texts(): string[] {
    return this.received.flatMap(({ input }) => input);
  }

  /** Resolves at the next request. */
  arrival(): Promise<void> {
    return new Promise((done) => this.#arrived.push(done));
  }

  clear(): void {
    this.received.length = 0;
    this.answers.length = 0;
    this.judge = () => null;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(response: ServerResponse, request: Received): void {
    this.received.push(request);
    for (const arrived of this.#arrived.splice(0)) arrived();
    const answer = this.answers.shift() ?? this.judge(request) ?? vectors;
    answer(response, request);
  }
}

const vectors: Answer = (response, { input }) =>
  sendJson(response, 200, {
    object: 'list',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
  });

/** An answer with this status, and perhaps a wait. */
export const refuses =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response, { headers: sent }) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    // Some services repeat the key in their errors.
    response.end(JSON.stringify({ error: { message: `no: ${sent.authorization}` } }));
  };

/** An answer with this body. */
export const says =
  (body: unknown): Answer =>
  (response) =>
    sendJson(response, 200, body);

/** No answer. */
export const hangs: Answer = () => undefined;

/** A connection that ends in the middle. */
export const breaksOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Length': '100000' });
  response.write('{"data":[');
  setImmediate(() => response.destroy());
};

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(text);
}
