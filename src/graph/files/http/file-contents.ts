import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { createHash } from 'node:crypto';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Caller, CallerReferences, keyOfCaller } from '../../../identity/index.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { BytesUnderWay } from '../../../kernel/http/bodies/bytes-under-way.js';
import { requireLeastRate } from '../../../kernel/http/bodies/least-rate.js';
import { requestContext } from '../../../kernel/request-context.js';
import { type Access } from '../../../privacy/index.js';
import { BLOB_STORE, BlobMissing, type BlobStore } from '../application/blob-store.js';
import { attachmentNamed, type FileRange, rangeAsked } from '../domain/file-headers.js';
import { shownFact, slicesOfShowing } from '../../common/index.js';
import { type FileContent, FileContentsQueries, type Node, NodesLocator } from '../../nodes/index.js';
import { FileLinks } from './file-links.js';

/** A request for content, its answer, and the caller whose rights count while the content is sent. */
interface DownloadExchange {
  request: Request;
  response: Response;
  caller: Caller;
  /** True if the request has no credential but the link of that caller. */
  isByLink: boolean;
}

/** The bytes that a download holds whose reader has stopped: two chunks, and the buffers of three streams. */
const DOWNLOAD_BYTES = 256 * 1024;

/** Presents the bytes of a file: to save, never to display, so that they cannot become a page (rule 6.4). */
@Injectable()
export class FileContents {
  private readonly logger = new Logger('files');

  constructor(
    private readonly files: FileContentsQueries,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly callers: CallerReferences,
    private readonly links: FileLinks,
    private readonly nodes: NodesLocator,
    private readonly underWay: BytesUnderWay,
  ) {}

  /**
   * The content of a node that the caller may read, if the node has one and the caller may have all of it.
   * @throws NOT_A_FILE, PERMISSION_DENIED below detail full (rule 3.14)
   */
  async permitted(access: Access, node: Node): Promise<FileContent> {
    const content = await this.files.find(node.ownerId, node.id);
    if (content === null) throw new DomainError('NOT_A_FILE', 'This node is not a file');
    if (access.exposure.detail === 'full') return content;
    throw new DomainError(
      'PERMISSION_DENIED',
      'Reading the content of files requires the detail level `full`',
    );
  }

  /**
   * Sends one range or the whole; several ranges at once are answered with the whole (RFC 9110, 14.2). The answer breaks
   * off when the caller may no longer have the content, or takes it too slowly.
   * @throws TOO_MUCH_UNDER_WAY
   */
  async send(access: Access, node: Node, exchange: DownloadExchange): Promise<void> {
    const { request, response, caller } = exchange;
    const content = await this.permitted(access, node);
    const range = rangeOf(request, content);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${content.size}`);
      throw new DomainError('RANGE_NOT_SATISFIABLE', `The file has ${content.size} bytes`);
    }
    const title = await shownTitle(access, node);
    const isHead = request.method === 'HEAD';
    if (!isHead) this.count(exchange, sizeOf(range, content));
    const bytes = isHead ? null : await this.open(content, range);
    // The client left while the store was opening the blob.
    if (response.destroyed) return void bytes?.destroy();
    await confirmRights(bytes);
    response.status(range === null ? 200 : 206);
    const headers = headersOf(access, node, { content, range, title });
    // Not Express's set(), which would add an unknown charset.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (bytes === null) return void response.end();
    // A generator that waits for the store does not notice that its reader has left.
    response.once('close', () => bytes.destroy());
    requireLeastRate(response);
    const source = range === null ? verified(bytes as AsyncIterable<Buffer>, content.sha256) : bytes;
    const permitted = this.callers.whileAccepted(caller, source as AsyncIterable<Buffer>, (found) =>
      this.permit(found, node.id),
    );
    await pipeline(permitted, response).catch((error: unknown) => {
      bytes.destroy();
      response.destroy();
      if (error instanceof DomainError) return;
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
        this.logger.error({ err: error }, 'a download broke off');
      }
    });
  }

  /** Readers of links count apart from their caller, whom they must not keep from their own files. */
  private count({ response, caller, isByLink }: DownloadExchange, size: number): void {
    const key = keyOfCaller(caller);
    const bytes = Math.min(size, DOWNLOAD_BYTES);
    this.underWay.holdTransfer('sent', response, { bytes, caller: isByLink ? `links of ${key}` : key });
  }

  /** @throws the refusal that the caller would get for a request now */
  private async permit(caller: Caller, nodeId: string): Promise<void> {
    const { access, node } = await this.nodes.found(await this.links.accessOf(caller), nodeId, 'read');
    await this.permitted(access, node);
  }

  /** @throws SERVICE_UNAVAILABLE; BlobMissing, which a retry does not mend */
  private async open({ blobId }: FileContent, range: FileRange | null): Promise<Readable> {
    try {
      return await this.store.read(blobId, range ?? undefined);
    } catch (error) {
      if (error instanceof BlobMissing) throw error;
      this.logger.error({ err: error }, 'the store of files gives nothing');
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'File storage is temporarily unavailable; try again later',
      );
    }
  }
}

/** Confirms the rights of a request that took long; without them nothing is sent (rule 2.8). */
async function confirmRights(bytes: Readable | null): Promise<void> {
  try {
    await requestContext.current().rights?.confirm();
  } catch (error) {
    bytes?.destroy();
    throw error;
  }
}

const shownTitle = (access: Access, { record, facts }: Node): Promise<unknown> =>
  access.exposure.exposeValueInSlices({ path: 'title', value: record.title }, facts, slicesOfShowing());

function headersOf(
  access: Access,
  node: Node,
  { content, range, title }: { content: FileContent; range: FileRange | null; title: unknown },
): Record<string, string> {
  const isTypeShown = !access.exposure.transforms('metadata.mime_type');
  return {
    'Content-Type': isTypeShown
      ? content.mediaType
      : octets(shownFact(access, node.record, { name: 'mime_type' })),
    'Content-Length': String(sizeOf(range, content)),
    ...(range === null ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${content.size}` }),
    'Accept-Ranges': 'bytes',
    ETag: etagOf(content),
    // The name as the caller is shown it; absent when it is hidden.
    'Content-Disposition': attachmentNamed(typeof title === 'string' ? title : null),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  };
}

const sizeOf = (range: FileRange | null, { size }: FileContent): number =>
  range === null ? size : range.end - range.start + 1;

/** The media type to serve: a masked type becomes octets. */
const octets = (shown: unknown): string =>
  typeof shown === 'string' && /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(shown)
    ? shown
    : 'application/octet-stream';

const etagOf = ({ sha256 }: FileContent): string => `"${sha256}"`;

function rangeOf(request: Request, content: FileContent): FileRange | null | 'unsatisfiable' {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etagOf(content)) return null;
  return rangeAsked(request.headers.range, content.size);
}

/** The bytes, verified against the received ones; the last of them are held back until that is done. */
async function* verified(bytes: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  for await (const chunk of bytes) {
    hash.update(chunk);
    if (held !== null) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) throw new Error('a stored blob is not what it was');
  if (held !== null) yield held;
}
