import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type S3Settings } from '../../src/config/config.js';

export type Operation =
  | 'HeadBucket'
  | 'ListObjectsV2'
  | 'ListMultipartUploads'
  | 'HeadObject'
  | 'GetObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload';

/**
 * A refusal with its status and code; an answer that the test releases; no answer; a closed connection; half of a body, or of a refusal, and then
 * nothing.
 */
export type Fault =
  [status: number, code: string] | 'held' | 'silent' | 'reset' | 'stall' | 'stalled refusal';

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** The part of S3 that the store uses, in memory, with configurable faults and without `Expect: 100-continue`. */
export class FaultyS3 {
  readonly faults = new Map<Operation, Fault>();
  readonly calls: Operation[] = [];
  readonly objects = new Map<string, Buffer>();
  /** Parts of uploads that were neither completed nor aborted, by the upload's id. */
  readonly uploads = new Map<string, Map<number, Buffer>>();
  /** Requests whose answer has neither ended nor been aborted. */
  underWay = 0;
  /** Releases requests that are held, oldest first. */
  readonly held: (() => void)[] = [];
  /** The most requests that were held at a time. */
  mostHeld = 0;
  private begun = 0;

  private constructor(
    private readonly server: Server,
    readonly settings: S3Settings,
  ) {}

  static async start(): Promise<FaultyS3> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const s3 = new FaultyS3(server, {
      bucket: 'bucket',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
    for (const event of ['request', 'checkContinue'])
      server.on(event, (request: IncomingMessage, response: ServerResponse) => s3.take(request, response));
    return s3;
  }

  /** Settings that make a service store its files here. */
  get environment(): Record<string, string> {
    return {
      S3_BUCKET: this.settings.bucket,
      S3_ENDPOINT: this.settings.endpoint as string,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
  }

  timesOf(operation: Operation): number {
    return this.calls.filter((call) => call === operation).length;
  }

  /** Removes all faults and records, but keeps the objects. */
  heal(): void {
    this.faults.clear();
    this.uploads.clear();
    this.calls.length = 0;
    this.mostHeld = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const operation = operationOf(request);
    const fault = this.faults.get(operation);
    this.calls.push(operation);
    this.underWay++;
    response.once('close', () => this.underWay--);
    if (fault === 'reset') return request.socket.resetAndDestroy() as unknown as void;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (fault === 'silent') return;
      if (Array.isArray(fault)) return refuse(response, ...fault);
      if (fault === 'stalled refusal') return begin(response, 403);
      if (fault === 'stall' && operation !== 'GetObject') return begin(response, 200);
      const answer = (): void =>
        this.answer(operation, { request, response, content: Buffer.concat(chunks) });
      if (fault !== 'held') return answer();
      this.mostHeld = Math.max(this.mostHeld, this.held.push(answer));
    });
  }

  private answer(
    operation: Operation,
    { request, response, content }: { request: IncomingMessage; response: ServerResponse; content: Buffer },
  ): void {
    const { pathname, searchParams } = urlOf(request);
    const upload = searchParams.get('uploadId') ?? '';
    switch (operation) {
      case 'GetObject':
      case 'HeadObject':
        return this.give(pathname, request, response);
      case 'PutObject':
        this.objects.set(pathname, content);
        break;
      case 'DeleteObject':
        this.objects.delete(pathname);
        break;
      case 'CreateMultipartUpload': {
        const id = `upload-${++this.begun}`;
        this.uploads.set(id, new Map());
        response.end(
          `${XML}<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
        return;
      }
      case 'UploadPart':
        this.uploads.get(upload)?.set(Number(searchParams.get('partNumber')), content);
        response.setHeader('ETag', '"part"');
        break;
      case 'CompleteMultipartUpload': {
        const parts = [...(this.uploads.get(upload) ?? [])].sort(([one], [other]) => one - other);
        this.objects.set(pathname, Buffer.concat(parts.map(([, part]) => part)));
        this.uploads.delete(upload);
        response.end(
          `${XML}<CompleteMultipartUploadResult><ETag>"all"</ETag></CompleteMultipartUploadResult>`,
        );
        return;
      }
      case 'AbortMultipartUpload':
        this.uploads.delete(upload);
        break;
      case 'HeadBucket':
      case 'ListObjectsV2':
      case 'ListMultipartUploads':
        break;
    }
    response.end();
  }

  private give(path: string, request: IncomingMessage, response: ServerResponse): void {
    const whole = this.objects.get(path);
    if (whole === undefined) return refuse(response, 404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const bytes = end === undefined ? whole : whole.subarray(Number(start), Number(end) + 1);
    response.writeHead(end === undefined ? 200 : 206, { 'Content-Length': bytes.length });
    if (request.method === 'GET' && this.faults.get('GetObject') === 'stall')
      response.write(bytes.subarray(0, bytes.length / 2));
    else response.end(bytes);
  }
}

const urlOf = (request: IncomingMessage): URL => new URL(request.url as string, 'http://s3');

function operationOf(request: IncomingMessage): Operation {
  const { pathname, searchParams } = urlOf(request);
  const ofParts = searchParams.has('uploadId');
  const isOfBucket = /^\/[^/]+\/?$/.test(pathname);
  switch (request.method) {
    case 'HEAD':
      return isOfBucket ? 'HeadBucket' : 'HeadObject';
    case 'GET':
      if (!isOfBucket) return 'GetObject';
      return searchParams.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2';
    case 'PUT':
      return ofParts ? 'UploadPart' : 'PutObject';
    case 'POST':
      return ofParts ? 'CompleteMultipartUpload' : 'CreateMultipartUpload';
    default:
      return ofParts ? 'AbortMultipartUpload' : 'DeleteObject';
  }
}

function begin(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'application/xml', 'Content-Length': 1000 });
  response.write(XML);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`${XML}<Error><Code>${code}</Code><Message>as the test wants it</Message></Error>`);
}
