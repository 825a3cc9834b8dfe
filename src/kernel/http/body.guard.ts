import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { Config } from '../../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import { BytesUnderWay } from './bytes-under-way.js';
import { endpointOf } from './endpoint.js';
import { VERSION_PREFIX } from './version-prefix.js';

const MIB = 1024 * 1024;
const SMALL_BYTES = 16 * 1024;
const LARGE_BYTES = 8 * MIB;
const MERGE_PATCH = 'application/merge-patch+json';
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/** The parser writes a status onto what is thrown here, so it is an error of its own kind. */
const verify = (_request: unknown, _response: unknown, bytes: Buffer): void => {
  if (!isUtf8(bytes)) throw Object.assign(new Error('not UTF-8'), { type: 'entity.not.utf8' });
};
/** Bodies are counted by the length that they announce, so that none is unpacked. */
const parser = (limit: number) =>
  express.json({ limit, verify, strict: false, inflate: false, type: ['application/json', MERGE_PATCH] });
const ordinary = parser(MIB);
/** Who is not logged in yet has little to say. */
const small = parser(SMALL_BYTES);
const large = parser(LARGE_BYTES);
/** Batches may be larger (decisions 4.13). */
const isLarge = (path: string): boolean => /\/nodes\/batch(\/embeddings)?\/?$/.test(path);
const isSmall = (path: string): boolean => path.startsWith(`/${VERSION_PREFIX}/auth/`);

/**
 * Fourth guard and the last: reads the JSON body, after all that can refuse the request unread, so that who may not
 * call is told so whatever the body holds (decisions 3.18: 401, then 404/403, then 400). A guard, because it is the
 * cheapest thing that Nest awaits between the other guards and the pipes. Multipart bodies are left to their route.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly underWay: BytesUnderWay,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    refuseRepeatedParameters(request);
    if (!takesJson(request, context)) return true;
    return this.inTime(request, context.switchToHttp().getResponse<Response>());
  }

  /** Whoever sends a body byte by byte holds memory and a connection: it has to arrive in time. */
  private async inTime(request: Request, response: Response): Promise<true> {
    let timer: NodeJS.Timeout | undefined;
    const { bodySeconds } = this.config;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // The rest of it is not waited for.
        response.setHeader('Connection', 'close');
        const details = { max_seconds: bodySeconds };
        reject(new DomainError('REQUEST_TIMEOUT', `The body must arrive in ${bodySeconds} seconds`, details));
      }, bodySeconds * 1000);
    });
    try {
      return await Promise.race([this.read(request, response), over]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async read(request: Request, response: Response): Promise<true> {
    if (!(await hasBody(request))) return true;
    if (!request.is(['application/json', MERGE_PATCH])) {
      const types = request.method === 'PATCH' ? `application/json or ${MERGE_PATCH}` : 'application/json';
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${types}`);
    }
    const { parse, limit } = parserFor(request.path);
    const length = Number(request.headers['content-length'] ?? limit);
    if (length <= limit) this.hold(response, length);
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error?: Error) => (error ? reject(error) : resolve()));
    });
    if (reaches(MAX_DEPTH + 1, request.body)) throw DomainError.validation('body', 'is nested too deeply');
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

/** Marks a route that reads its body itself: it is no JSON. */
export const MULTIPART = Symbol('multipart');

function takesJson({ method }: Request, context: ExecutionContext): boolean {
  const endpoint = endpointOf(context.getHandler());
  if (!BODY_METHODS.has(method) && endpoint?.takesBody !== true) return false;
  return !Reflect.hasMetadata(MULTIPART, context.getHandler()) || endpoint === undefined;
}

function refuseRepeatedParameters(request: Request): void {
  // Express reads the query anew each time it is asked for.
  if (!request.url.includes('?')) return;
  const repeated = Object.entries(request.query).filter(([, value]) => typeof value !== 'string');
  if (repeated.length === 0) return;
  throw DomainError.validations(repeated.map(([field]) => ({ field, message: 'must be given once' })));
}

function parserFor(path: string): { parse: ReturnType<typeof parser>; limit: number } {
  if (isLarge(path)) return { parse: large, limit: LARGE_BYTES };
  return isSmall(path) ? { parse: small, limit: SMALL_BYTES } : { parse: ordinary, limit: MIB };
}

/** One sent in chunks says no length: whether there is any shows with its first byte or its end. */
async function hasBody(request: Request): Promise<boolean> {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
  if (coding === undefined) return length !== undefined && length !== '0';
  // Who breaks off here is told so, or nothing, by the parser.
  if (!request.complete && request.readableLength === 0) await once(request, 'readable').catch(() => null);
  return !request.complete || request.readableLength > 0;
}

/** Far above what any field allows; what is below it can be walked by recursion without fear. */
const MAX_DEPTH = 100;

/** Whether something in it stands so many levels below it. */
const reaches = (levels: number, value: unknown): boolean =>
  levels === 0 ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((child) => reaches(levels - 1, child)));
