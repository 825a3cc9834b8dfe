import { type Server } from '@modelcontextprotocol/server';
import { setTimeout as wait } from 'node:timers/promises';
import { type Api, ApiRefusal } from '../domain/api.js';
import { INVALID_REQUEST, PARSE_ERROR, REFUSED } from '../domain/rpc-error.js';
import { type AssistantOptions, assistantServer } from './assistant-server.js';
import { stdioLibrary } from './library.js';
import { type Announcer, passChanges } from './listening.js';
import { MessageLines } from './message-lines.js';
import { OpenRequests } from './open-requests.js';
import { sentenceOf } from './tools/refusals.js';

/** The methods after which a client expects announcements, of either era. */
const LISTENING: ReadonlySet<unknown> = new Set(['subscriptions/listen', 'resources/subscribe']);
const NO_JSON = 'A line is not JSON, or has more parts than a message may have';
const NO_MESSAGE = 'A line is not a message of JSON-RPC 2.0';
/** The pause before a lost stream of changes is followed again. */
const PAUSE_MS = 5000;

type Options = Omit<AssistantOptions, 'announces' | 'connectedAs' | 'ran'>;

/** Speaks MCP over standard input and output, until the input or `over` ends. */
export async function speakOverStdio(options: Options, over: AbortSignal): Promise<void> {
  const { serveStdio } = await stdioLibrary();
  const pinned = new PinnedServer();
  const open = new OpenRequests((method) => LISTENING.has(method));
  const { wire, refuse } = await wireOf(open, options.failed);
  const connection = serveStdio(async ({ era }) => pinned.pin(await newServer(era, pinned, options)), {
    transport: wire,
    onerror: (error) => (isOfMessage(error) ? refuse(INVALID_REQUEST, NO_MESSAGE) : options.failed(error)),
  });
  const gone = new AbortController();
  const { onmessage: pass, onclose: close } = wire;
  const ended = new Promise<void>((done) => {
    wire.onclose = () => {
      close?.();
      gone.abort();
      done();
    };
  });
  // Changes are followed before their subscription is acknowledged, and only where there is one.
  const following = new Following(options, pinned, gone.signal);
  const listen = async (message: Parameters<NonNullable<typeof pass>>[0]): Promise<void> => {
    try {
      await following.begun();
      pass?.(message);
    } catch (error) {
      const refusal = { code: REFUSED, message: reasonOf(error, options) };
      if ('id' in message && !gone.signal.aborted)
        await wire.send({ jsonrpc: '2.0', id: message.id, error: refusal }).catch(options.failed);
    }
  };
  let turn = Promise.resolve();
  wire.onmessage = (message) => {
    open.begun(message);
    const method = 'method' in message ? message.method : undefined;
    if (LISTENING.has(method)) turn = turn.then(() => listen(message));
    // The end of a subscription must not overtake its beginning.
    else if (method === 'resources/unsubscribe') turn = turn.then(() => pass?.(message));
    else pass?.(message);
  };
  over.addEventListener('abort', () => void connection.close());
  if (over.aborted) await connection.close();
  await ended;
  // Otherwise the process would wait for the rest of its input.
  process.stdin.unpipe().pause();
}

/** The standard input and output as lines of JSON, and a refusal of those that nobody can read: they have no id. */
async function wireOf(open: OpenRequests, failed: Options['failed']) {
  const { StdioServerTransport } = await stdioLibrary();
  const lines = new MessageLines(() => refuse(PARSE_ERROR, NO_JSON));
  const wire = new StdioServerTransport(open.before(process.stdin.pipe(lines)));
  const send = wire.send.bind(wire);
  const refuse = (code: number, message: string): void =>
    void send({ jsonrpc: '2.0', id: null, error: { code, message } } as never).catch(failed);
  wire.send = async (message) => {
    await send(message);
    open.answered(message);
  };
  return { wire, refuse };
}

/** True for a fault that the library found in the form of a message. */
const isOfMessage = (error: Error): boolean => error.name.endsWith('ZodError');

async function newServer(era: 'modern' | 'legacy', pinned: PinnedServer, options: Options): Promise<Server> {
  const announces = era === 'modern' ? 'everything' : 'subscribed';
  const server = await assistantServer({ ...options, announces, connectedAs: null, ran: () => undefined });
  if (era === 'modern') return server;
  const subscribed = (pinned.subscribed = new Set());
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return server;
}

/** The server of the connection, which announces changes: in the older era those of subscribed resources alone. */
class PinnedServer implements Announcer {
  /** Null in the era whose library picks the announcements for each subscription. */
  subscribed: Set<string> | null = null;
  private server: Server | null = null;

  pin(server: Server): Server {
    this.server = server;
    return server;
  }

  resourceUpdated(uri: string): void {
    if (this.subscribed?.has(uri) ?? true) this.announce((server) => server.sendResourceUpdated({ uri }));
  }

  resourcesChanged(): void {
    if (this.subscribed === null) this.announce((server) => server.sendResourceListChanged());
  }

  toolsChanged(): void {
    if (this.subscribed === null) this.announce((server) => server.sendToolListChanged());
  }

  /** Sends an announcement; it is lost where the connection has just ended. */
  private announce(send: (server: Server) => Promise<void>): void {
    if (this.server !== null) send(this.server).catch(() => undefined);
  }
}

/** Passes changes from the first subscription on. */
class Following {
  private first: Promise<void> | null = null;

  constructor(
    private readonly options: Options,
    private readonly announcer: Announcer,
    private readonly gone: AbortSignal,
  ) {}

  /** Resolves as soon as changes are followed. @throws ApiRefusal */
  begun(): Promise<void> {
    return (this.first ??= this.begin());
  }

  private async begin(): Promise<void> {
    const api = this.options.apiFor('subscriptions/listen');
    try {
      const changes = await api.follow();
      void this.pass(api, changes);
    } catch (error) {
      this.first = null;
      throw error;
    }
  }

  /** Passes changes until the connection or the access ends; a stream that breaks off is followed again. */
  private async pass(api: Api, begun: Awaited<ReturnType<Api['follow']>>): Promise<void> {
    let changes: typeof begun | null = begun;
    while (!this.gone.aborted) {
      try {
        changes ??= await api.follow();
        await passChanges(changes, this.announcer);
      } catch (error) {
        if (error instanceof ApiRefusal && error.status < 500) break;
      }
      changes = null;
      await wait(PAUSE_MS, undefined, { signal: this.gone, ref: false }).catch(() => undefined);
      // Changes of the pause are unknown: a client that lists again finds them.
      if (!this.gone.aborted) this.announcer.resourcesChanged();
    }
    this.first = null;
  }
}

function reasonOf(error: unknown, { links, failed }: Options): string {
  if (error instanceof ApiRefusal) return sentenceOf(error, links, null);
  failed(error);
  return 'Something went wrong on our side';
}
