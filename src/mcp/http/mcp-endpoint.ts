import { Injectable, Logger } from '@nestjs/common';
import { type McpHttpHandler, type Server } from '@modelcontextprotocol/server';
import { type Request, type Response } from 'express';
import { Counter } from 'prom-client';
import { Config } from '../../config/config.js';
import { callerOf } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { BytesUnderWay } from '../../kernel/http/bodies/bytes-under-way.js';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { InnerRequests } from '../../kernel/inner-requests.js';
import { packageVersion } from '../../kernel/http/openapi/openapi.js';
import { begunAt } from '../../kernel/http/request-id.middleware.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { Metrics } from '../../kernel/observability/metrics.js';
import { requestContext } from '../../kernel/request-context.js';
import { type AssistantOptions, assistantServer } from '../application/assistant-server.js';
import { library } from '../application/library.js';
import { passChanges } from '../application/listening.js';
import { sentenceOf } from '../application/tools/refusals.js';
import { type Api, ApiRefusal, type ChangedNodes } from '../domain/api.js';
import { type Links } from '../domain/tool.js';
import { REFUSED } from '../domain/rpc-error.js';
import { programOf } from '../domain/user-agent.js';
import { InnerApi } from '../infrastructure/inner-api.js';
import { linksOf } from './links.js';
import { TakenStream } from './taken-stream.js';

/** The headers of a message that its requests to the API have as well. */
const PASSED = ['authorization', 'x-api-key', 'x-user-id', 'user-agent'] as const;
/** The longest id of a message. */
const LONGEST_ID = 200;

interface Message {
  id?: unknown;
}

/** The longest message that listens: its filter is held for as long as its stream. */
const LONGEST_LISTEN = 16 * 1024;

/** @throws VALIDATION_ERROR */
function refuseLongFilter(message: Message): void {
  if (JSON.stringify(message).length > LONGEST_LISTEN)
    throw DomainError.validation('params', `must have at most ${LONGEST_LISTEN} characters to listen`);
}

/** Others than texts and numbers are refused by the library. */
const hasLongId = (message: Message | null): boolean =>
  typeof message?.id === 'string' && message.id.length > LONGEST_ID;

/** Answers messages of MCP, each by itself: nothing is remembered between two (rule 15.1). */
@Injectable()
export class McpEndpoint {
  private readonly logger = new Logger('mcp');
  private readonly links: Links;
  private readonly version = packageVersion();
  private readonly calls: Counter<'tool' | 'outcome'>;

  constructor(
    private readonly config: Config,
    private readonly requests: InnerRequests,
    private readonly underWay: BytesUnderWay,
    metrics: Metrics,
  ) {
    this.links = linksOf(config.publicUrl);
    this.calls = new Counter({
      name: 'mcp_tool_calls_total',
      help: 'Calls of tools by assistants',
      labelNames: ['tool', 'outcome'],
      registers: [metrics.registry],
    });
  }

  async serve(request: Request, response: Response): Promise<void> {
    requestContext.current().isOuter = true;
    const gone = goneSignal(response);
    const message: unknown = request.body;
    // Revisions since 2025-06-18 have no lists of messages, which would count as one request.
    if (Array.isArray(message)) throw DomainError.validation('body', 'must be one message');
    // It is in each announcement of a stream.
    if (hasLongId(message as Message | null))
      throw DomainError.validation('id', `must have at most ${LONGEST_ID} characters`);
    const exchange = await this.exchange(request, gone);
    if (isListen(message)) {
      refuseLongFilter(message);
      return this.listen(response, { ...exchange, message, request, gone });
    }
    const answer = await exchange.fetch();
    const text = await answer.text();
    if (gone.aborted) return;
    // The answers of the API have just been decided; the request itself may be old by now (rule 2.8).
    await requestContext.current().rights?.confirm();
    setHead(answer, response);
    if (text === '') response.end();
    else response.send(text);
  }

  /** Keeps the stream of `subscriptions/listen` open: its changes are followed before it is acknowledged. */
  private async listen(response: Response, listening: Listening): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([listening.gone, over.signal]);
    try {
      const changes = await this.apis(listening.request, signal)('subscriptions/listen').follow();
      const answer = await listening.fetch();
      setHead(answer, response);
      response.flushHeaders();
      // Others must not wait for the room of a message whose answer has no end.
      this.underWay.forgetBody(response);
      const stream = new TakenStream(response, signal);
      const passing = this.pass(changes, listening, { stream, signal });
      if (answer.body !== null) await stream.send(answer.body);
      over.abort();
      await passing;
      response.end();
    } catch (error) {
      over.abort();
      if (listening.gone.aborted) return;
      if (response.headersSent) {
        this.logger.warn({ err: error }, 'a stream of changes broke off');
        response.destroy();
      } else if (error instanceof ApiRefusal) response.json(this.refused(listening.message, error));
      else throw error;
    }
  }

  /** Announces changes until their stream ends, and then ends that of the client; never rejects. */
  private async pass(
    changes: AsyncIterable<ChangedNodes>,
    { handler }: Exchange,
    { stream, signal }: { stream: TakenStream; signal: AbortSignal },
  ): Promise<void> {
    try {
      await passChanges(changes, handler.notify, () => stream.taken()).finally(() => handler.close());
    } catch (error) {
      if (!signal.aborted) this.logger.warn({ err: error }, 'a stream of changes broke off');
    }
  }

  private refused({ id }: Message, refusal: ApiRefusal): object {
    const error = {
      code: REFUSED,
      message: sentenceOf(refusal, this.links, null),
      data: { code: refusal.code },
    };
    return { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error };
  }

  /** The handler of one message, and a way to let it answer. */
  private async exchange(request: Request, gone: AbortSignal): Promise<Exchange> {
    const { createMcpHandler, isLegacyRequest } = await library();
    const apiFor = this.apis(request, gone);
    const server = (announces: AssistantOptions['announces']) =>
      assistantServer({
        announces,
        apiFor,
        connectedAs: programOf(request.headers['user-agent']),
        links: this.links,
        version: this.version,
        failed: (error) => {
          if (!gone.aborted) this.logger.error({ err: error }, 'unexpected error');
        },
        ran: (tool, outcome) => this.calls.inc({ tool, outcome }),
      });
    const handler = createMcpHandler(() => server('everything'), {
      legacy: 'reject',
      onerror: (error) => this.logger.debug({ err: error }, 'a message was refused'),
    });
    const sent = this.asWebRequest(request, gone);
    const parsedBody: unknown = request.body ?? null;
    const fetch = async () =>
      (await isLegacyRequest(sent, parsedBody))
        ? answerLegacy(await server('nothing'), sent, parsedBody)
        : handler.fetch(sent, { parsedBody });
    return { handler, fetch };
  }

  /** The API for each tool that a message calls, with its credential. */
  private apis(request: Request, gone: AbortSignal): AssistantOptions['apiFor'] {
    const { requestId, rights } = requestContext.current();
    const headers: Record<string, string> = { 'X-Request-Id': requestId };
    for (const name of PASSED) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const counters = { values: callerOf(request).stamps, since: begunAt(request) };
    return (tool): Api =>
      new InnerApi(this.requests, {
        base: `/${VERSION_PREFIX}`,
        origin: { address: request.ip ?? 'unknown', tool, rights, counters },
        headers,
        gone,
      });
  }

  private asWebRequest({ headers, method }: Request, signal: AbortSignal): globalThis.Request {
    const sent = Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return new globalThis.Request(`${this.config.publicUrl}/mcp`, { method, headers: sent, signal });
  }
}

interface Exchange {
  handler: McpHttpHandler;
  fetch: () => Promise<globalThis.Response>;
}

interface Listening extends Exchange {
  message: Message;
  request: Request;
  gone: AbortSignal;
}

const isListen = (message: unknown): message is Message =>
  (message as { method?: unknown } | null)?.method === 'subscriptions/listen';

/** Answers a message of a revision before 2026-07-28, as JSON: nothing precedes its answer. */
async function answerLegacy(
  server: Server,
  request: globalThis.Request,
  parsedBody: unknown,
): Promise<globalThis.Response> {
  const { WebStandardStreamableHTTPServerTransport } = await library();
  const options = { sessionIdGenerator: undefined, enableJsonResponse: true };
  const transport = new WebStandardStreamableHTTPServerTransport(options);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function setHead(answer: globalThis.Response, response: Response): void {
  response.status(answer.status);
  answer.headers.forEach((value, name) => response.setHeader(name, value));
}
