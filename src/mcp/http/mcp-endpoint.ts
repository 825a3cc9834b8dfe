import { Injectable, Logger } from '@nestjs/common';
import { type McpHttpHandler, type Server } from '@modelcontextprotocol/server';
import { type Request, type Response } from 'express';
import { Counter } from 'prom-client';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { InnerRequests } from '../../kernel/inner-requests.js';
import { packageVersion } from '../../kernel/http/openapi/openapi.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { Metrics } from '../../kernel/observability/metrics.js';
import { requestContext } from '../../kernel/request-context.js';
import { type AssistantOptions, assistantServer } from '../application/assistant-server.js';
import { library } from '../application/library.js';
import { passChanges } from '../application/listening.js';
import { type Api, ApiRefusal, type ChangedNodes } from '../domain/api.js';
import { type Links } from '../domain/tool.js';
import { InnerApi } from '../infrastructure/inner-api.js';
import { linksOf } from './links.js';

/** The headers of a message that its requests to the API have as well. */
const PASSED = ['authorization', 'x-api-key', 'x-user-id', 'user-agent'] as const;
const REFUSED = -32000;

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
    const exchange = await this.exchange(request, gone);
    if (isListen(message)) return this.listen(response, { ...exchange, message, request, gone });
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
  private async listen(
    response: Response,
    { message, handler, fetch, request, gone }: Listening,
  ): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([gone, over.signal]);
    let changes: AsyncIterable<ChangedNodes>;
    try {
      changes = await this.api(request, { tool: 'subscriptions/listen', gone: signal }).follow();
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const data = { code: error.code };
      response.json({
        jsonrpc: '2.0',
        id: message.id ?? null,
        error: { code: REFUSED, message: error.message, data },
      });
      return;
    }
    const answer = await fetch();
    setHead(answer, response);
    response.flushHeaders();
    const passing = passChanges(changes, handler.notify).finally(() => handler.close());
    try {
      if (answer.body !== null) await pipeline(Readable.fromWeb(answer.body as never), response, { signal });
    } catch (error) {
      if (!gone.aborted) throw error;
    } finally {
      over.abort();
      await passing.catch((error: unknown) => {
        if (!signal.aborted) this.logger.warn({ err: error }, 'a stream of changes broke off');
      });
      response.end();
    }
  }

  /** The handler of one message, and a way to let it answer. */
  private async exchange(request: Request, gone: AbortSignal): Promise<Exchange> {
    const { createMcpHandler, isLegacyRequest } = await library();
    const server = (announces: AssistantOptions['announces']) =>
      assistantServer({
        announces,
        apiFor: (tool) => this.api(request, { tool, gone }),
        links: this.links,
        version: this.version,
        failed: (error) => {
          if (!gone.aborted) this.logger.error({ err: error }, 'unexpected error');
        },
        ran: (tool, isRefused) => this.calls.inc({ tool, outcome: isRefused ? 'refused' : 'answered' }),
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

  private api(request: Request, { tool, gone }: { tool: string; gone: AbortSignal }): Api {
    const headers: Record<string, string> = { 'X-Request-Id': requestContext.current().requestId };
    for (const name of PASSED) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    return new InnerApi(this.requests, {
      base: `/${VERSION_PREFIX}`,
      origin: { address: request.ip ?? 'unknown', tool },
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
  message: { id?: unknown };
  request: Request;
  gone: AbortSignal;
}

const isListen = (message: unknown): message is { id?: unknown } =>
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
