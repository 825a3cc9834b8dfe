import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { Config } from '../../../config/config.js';
import { CallerPlaces } from '../../caller-places.js';
import { DomainError } from '../../errors/domain-error.js';
import {
  type AdmitJson,
  type JsonBounds,
  BODY_BOUNDS,
  type JsonCounts,
  parseJsonInSlices,
  RefusedJson,
} from '../../json/json-text.js';
import { requestContext } from '../../request-context.js';
import { Admission } from '../admission.js';
import { BytesUnderWay } from './bytes-under-way.js';
import { endpointOf, type EndpointOptions, FORM, isConfirmable } from '../endpoint.js';
import { refuseUnknownParameters } from '../query-parameters.js';
import { VERSION_PREFIX } from '../version-prefix.js';

const MIB = 1024 * 1024;
const SMALL_BYTES = 16 * 1024;
/** The most bytes of a body that is read before it is known if its caller may send another request. */
const SHORT_BYTES = 4 * 1024;
const LARGE_BYTES = 8 * MIB;
const MERGE_PATCH = 'application/merge-patch+json';
/** The longest wait of a large body for its caller's earlier ones. */
const TURN_MS = 30_000;
/** The error of the reader for a request that ends while its body is awaited. */
const ABORTED = { type: 'request.aborted', status: 400 };
/** The share of a caller's bytes that one body counts at most. */
const MOST_OF_A_CALLER = 3 / 4;
/** The texts in memory while a body is written: its values, the row and the logged change. */
const TEXTS_HELD = 3;
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/** JSON is UTF-8 (RFC 8259). The reader sets a status on the error thrown here, so it must be an error of its own kind. */
const verify = (_request: unknown, _response: unknown, bytes: Buffer, charset: string): void => {
  const type = charset !== 'utf-8' ? 'charset.unsupported' : isUtf8(bytes) ? null : 'entity.not.utf8';
  if (type !== null) throw Object.assign(new Error(type), { type });
};
/** Bodies are limited by their announced length, so compressed ones are never unpacked (rule 11.4b). */
const reader = (limit: number) =>
  express.text({ limit, verify, inflate: false, type: ['application/json', MERGE_PATCH] });
const ordinary = reader(MIB);
/** Callers without a log-in send only short bodies. */
const small = reader(SMALL_BYTES);
const large = reader(LARGE_BYTES);
const form = express.text({ limit: SMALL_BYTES, verify, inflate: false, type: FORM });
/** Batches may be larger (rule 4.13c). */
const isLarge = (path: string): boolean => /\/nodes\/batch(\/embeddings)?\/?$/.test(path);
const isSmall = (path: string): boolean =>
  path.startsWith(`/${VERSION_PREFIX}/auth/`) || path.startsWith('/oauth/');

/**
 * Fourth and last guard: reads the JSON body after every check that can refuse the request unread, so that callers
 * without permission are refused whatever the body holds (rule 3.18e: 401, then 404 or 403, then 400). It is a guard
 * because that is the cheapest step Nest awaits between the other guards and the pipes. Multipart bodies are read by
 * their routes. A body can take long: the other guards then run again (rule 2.8).
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly readBefore = new WeakSet<Request>();
  /** One large body for each caller until it is answered: what is made of it holds several times its length. */
  private readonly largeBodies = new CallerPlaces(1, TURN_MS, tooManyLarge);

  constructor(
    private readonly config: Config,
    private readonly underWay: BytesUnderWay,
    private readonly admission: Admission,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    refuseUnknownParameters(request, context.getHandler());
    this.admission.admitted(context);
    declareAnswer(request, endpointOf(context.getHandler()));
    if (!takesJson(request, context)) return true;
    return this.receive(request, context);
  }

  /**
   * Reads a short body before its turn, for a guard that decides by its contents.
   * @returns its value, not yet checked; undefined for a missing, long or unreadable one, whose request must be refused
   */
  async readShort(context: ExecutionContext): Promise<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!(Number(request.headers['content-length']) <= SHORT_BYTES)) return undefined;
    try {
      await this.inTime(request, http.getResponse<Response>());
    } catch {
      return undefined;
    }
    this.readBefore.add(request);
    return request.body;
  }

  /** Admits the request again after a body that came later than the request (rule 2.8). */
  private async receive(request: Request, context: ExecutionContext): Promise<true> {
    const response = context.switchToHttp().getResponse<Response>();
    if (isLargeBody(request)) await this.takeTurn(request, response);
    const endpoint = endpointOf(context.getHandler());
    if (!this.readBefore.has(request)) await this.inTime(request, response, endpoint);
    if (requestContext.current().rights?.isOld) await this.admission.again(context);
    return true;
  }

  /** Lets a large body wait unread until the caller's earlier ones are answered. @throws TOO_MUCH_UNDER_WAY */
  private async takeTurn(request: Request, response: Response): Promise<void> {
    const leave = await this.largeBodies.take(this.underWay.whose(request));
    if (response.destroyed) leave();
    else response.once('close', leave);
  }

  /** A body that arrives byte by byte occupies memory and a connection, so it has a time limit (rule 11.9a). */
  private async inTime(request: Request, response: Response, endpoint?: EndpointOptions): Promise<true> {
    let timer: NodeJS.Timeout | undefined;
    const { bodySeconds } = this.config;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // Closing the connection drops the rest of the body.
        response.setHeader('Connection', 'close');
        const details = { max_seconds: bodySeconds };
        reject(new DomainError('REQUEST_TIMEOUT', `The body must arrive in ${bodySeconds} seconds`, details));
      }, bodySeconds * 1000);
    });
    try {
      return await Promise.race([
        endpoint?.takesForm === true
          ? this.readForm(request, response)
          : this.read(request, response, endpoint?.jsonBounds),
        over,
      ]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads a form; a field without a value counts as absent (RFC 6749, 3.1). */
  private async readForm(request: Request, response: Response): Promise<true> {
    if (!(await hasBody(request))) return true;
    if (!request.is(FORM)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${FORM}`);
    const length = announcedBytes(request, SMALL_BYTES);
    if (length <= SMALL_BYTES) this.hold(response, length);
    await new Promise<void>((resolve, reject) => {
      form(request, response, (error?: Error) => (error ? reject(error) : resolve()));
    });
    const text: unknown = request.body;
    if (typeof text !== 'string') throw Object.assign(new Error('the request has ended'), ABORTED);
    request.body = formOf(text);
    return true;
  }

  private async read(
    request: Request,
    response: Response,
    bounds: EndpointOptions['jsonBounds'],
  ): Promise<true> {
    if (!(await hasBody(request))) return true;
    if (!request.is(['application/json', MERGE_PATCH])) {
      const types = request.method === 'PATCH' ? `application/json or ${MERGE_PATCH}` : 'application/json';
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${types}`);
    }
    const { read, limit } = readerFor(request.path);
    const length = announcedBytes(request, limit);
    if (length <= limit) this.hold(response, length);
    await new Promise<void>((resolve, reject) => {
      read(request, response, (error?: Error) => (error ? reject(error) : resolve()));
    });
    const text: unknown = request.body;
    // The reader skips a request that has ended.
    if (typeof text !== 'string') throw Object.assign(new Error('the request has ended'), ABORTED);
    // One body alone is never refused for its contents, and leaves its caller room for short ones.
    const most = MOST_OF_A_CALLER * this.config.callerBytes;
    request.body = await parsed(text, { ...BODY_BOUNDS, ...bounds, plainBytes: limit }, (counts) =>
      this.hold(response, Math.max(0, Math.min(heldBytes(text, counts), most) - length)),
    );
    return true;
  }

  private hold(response: Response, bytes: number): void {
    try {
      this.underWay.hold('received', response, bytes);
    } catch (error) {
      response.setHeader('Connection', 'close');
      throw error;
    }
  }
}

/** Notes how the answer may be sent: compressed, and confirmed by its entity tag. */
function declareAnswer({ method }: Request, endpoint: EndpointOptions | undefined): void {
  if (endpoint?.holdsNoSecret !== true) return;
  const context = requestContext.current();
  context.holdsNoSecret = true;
  context.isConfirmable = isConfirmable(method, endpoint);
}

/** Marks a route whose body is not JSON and is read by the route itself. */
export const MULTIPART = Symbol('multipart');

function takesJson({ method }: Request, context: ExecutionContext): boolean {
  const endpoint = endpointOf(context.getHandler());
  if (!BODY_METHODS.has(method) && endpoint?.takesBody !== true) return false;
  return !Reflect.hasMetadata(MULTIPART, context.getHandler()) || endpoint === undefined;
}

function readerFor(path: string): { read: ReturnType<typeof reader>; limit: number } {
  if (isLarge(path)) return { read: large, limit: LARGE_BYTES };
  return isSmall(path) ? { read: small, limit: SMALL_BYTES } : { read: ordinary, limit: MIB };
}

/** The length of a body; the most that its route reads where it has none. */
const announcedBytes = ({ headers }: Request, limit: number): number =>
  Number(headers['content-length'] ?? limit);

/** True for a body that only some routes take. A longer one is refused unread. */
function isLargeBody(request: Request): boolean {
  const { limit } = readerFor(request.path);
  const length = announcedBytes(request, limit);
  return length > MIB && length <= limit;
}

/** A chunked body has no length: its first byte or its end shows if there is one. */
async function hasBody(request: Request): Promise<boolean> {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (coding === undefined) return length !== undefined && length !== '0';
  // If the client aborts here, the parser reports it.
  if (!request.complete && request.readableLength === 0) await once(request, 'readable').catch(() => null);
  return !request.complete || request.readableLength > 0;
}

/** One letter beyond Latin-1 makes the engine keep a text with two bytes a character. */
const WIDE = /[^\u0000-\u00ff]/;

/**
 * The memory of what is made of a body: its texts, which its values together are as long as, and its values themselves:
 * an empty object is two characters and sixty bytes.
 */
function heldBytes(text: string, { values, containers }: JsonCounts): number {
  const width = WIDE.test(text) ? 2 : 1;
  return TEXTS_HELD * width * text.length + 64 * containers + 16 * values;
}

/** The fields of a form. @throws VALIDATION_ERROR for one that is sent more than once */
function formOf(text: string): Record<string, string> {
  const fields = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw DomainError.validation('body', 'a parameter is sent more than once');
  return Object.fromEntries(fields);
}

const tooManyLarge = (): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'Bodies of more than 1 MiB are read one after another; send fewer at once',
    {
      direction: 'received',
      limit: 'caller',
    },
  );

/** @throws INVALID_JSON; VALIDATION_ERROR beyond the bounds of a body */
async function parsed(text: string, bounds: JsonBounds, admit: AdmitJson): Promise<unknown> {
  try {
    return await parseJsonInSlices(text, bounds, admit);
  } catch (error) {
    if (!(error instanceof RefusedJson)) throw error;
    if (error.isReadable) throw DomainError.validation('body', error.message);
    throw new DomainError('INVALID_JSON', 'The body is not valid JSON');
  }
}
