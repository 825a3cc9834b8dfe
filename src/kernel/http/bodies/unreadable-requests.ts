import { type NextFunction, type Request, type Response } from 'express';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { DomainError } from '../../errors/domain-error.js';
import { newId } from '../../ids.js';
import { envelopeOf } from '../answers/error-envelope.js';

/** The origin in a target of the absolute form (RFC 9112, 3.2.2), up to the path. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Answers requests that Node would refuse by itself, with an empty answer, with the envelope and request id of all
 * answers (rule 11.9c).
 */
export function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', (request, response) => {
    toOriginForm(request);
    answers.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const last = answers.get(socket);
    // A second answer in the middle of one could be taken for a part of it.
    const isAnswering = last !== undefined && last.headersSent && !last.writableFinished;
    if (!socket.writable || isAnswering) socket.destroy();
    else refuse(socket, refusalOf(error.code));
  });
  // Other expectations of a client may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
}

/** Requires the Host header in place of Node's own check. */
export function requireHost({ httpVersion, headers }: Request, _: Response, next: NextFunction): void {
  const isMissing = httpVersion === '1.1' && headers.host === undefined;
  next(isMissing ? DomainError.validation('Host', 'is required') : undefined);
}

/** Makes all targets origin-form for all code that reads them; the router cannot parse every host name. */
function toOriginForm(request: IncomingMessage): void {
  const path = request.url?.replace(ORIGIN, '');
  if (path !== request.url) request.url = path?.startsWith('/') ? path : `/${path}`;
}

function refusalOf(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new DomainError('HEADERS_TOO_LARGE', 'The headers are too large');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new DomainError('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DomainError('REQUEST_TIMEOUT', 'The request took too long to arrive');
  return DomainError.validation('request', 'is not valid HTTP');
}

/** Closes the connection after the refusal: the beginning of the next request is unknown. */
function refuse(socket: Socket, error: DomainError): void {
  const requestId = newId();
  const body = JSON.stringify(envelopeOf(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: private, no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
