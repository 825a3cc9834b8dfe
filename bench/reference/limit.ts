import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openStore } from './open.js';
import { type Body, type Rows } from './store.js';

/** The same statements on node:http: the limit without a framework. */
const store = await openStore();
const PREFIX = '/api/v1/nodes';
const SEARCH = `${PREFIX}/search/vector`;
const SYNC = '/api/v1/sync';

async function answer(request: IncomingMessage): Promise<object | null> {
  const owner = String(request.headers['x-user-id']);
  const url = request.url as string;
  if (url.startsWith(`${SYNC}?`)) {
    const query = new URLSearchParams(url.slice(SYNC.length + 1));
    return store.sync(owner, Number(query.get('cursor') ?? 0), Number(query.get('limit')));
  }
  if (!url.startsWith(PREFIX)) return null;
  if (request.method === 'POST') {
    const body = JSON.parse(await text(request)) as Body & { nodes: Body[]; embedding: number[] };
    if (url === SEARCH) return store.vector(owner, body);
    const rows = (request.headers['x-rows'] as Rows | undefined) ?? 'whole';
    return url.startsWith(`${PREFIX}/batch`)
      ? store.batch(owner, body.nodes, rows)
      : store.create(owner, body, rows);
  }
  if (url.startsWith(`${PREFIX}?`)) {
    return store.list(owner, Number(new URLSearchParams(url.slice(PREFIX.length + 1)).get('limit')));
  }
  return store.get(owner, url.slice(PREFIX.length + 1));
}

const isWrite = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url !== SEARCH;

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
    .end(bytes);
}

createServer((request, response) => {
  answer(request).then(
    (body) => send(response, body === null ? 404 : isWrite(request) ? 201 : 200, body ?? {}),
    (error: unknown) => send(response, 500, { message: String(error) }),
  );
}).listen(Number(process.env['PORT']), '127.0.0.1');
