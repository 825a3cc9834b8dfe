import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';
import { type S3Settings } from '../../../config/config.js';
import { isId } from '../../../kernel/ids.js';
import { type Spool } from '../../../kernel/spool/spool.js';
import { BlobMissing, type BlobStore, type ByteRange, type StoredBlob } from '../application/blob-store.js';
import { impatient } from './impatient-body.js';
import { type ObjectName, partPlaces, S3Upload } from './s3-upload.js';

/** The prefix of the service's objects, because the bucket may hold others. */
const PREFIX = 'files/';
const CHECK_HOLDS_MS = 10_000;
const CONNECTION_MS = 5_000;
/** Each attempt may take as long as the store may take for an answer. */
const ATTEMPTS = 2;

/** The limits on waiting for the store, in milliseconds. */
export interface S3Patience {
  /** The time until an answer begins, for an upload's part to complete, and for each piece of a body. */
  answer: number;
  /** The time for short requests, with all their attempts. */
  word: number;
}
const PATIENCE: S3Patience = { answer: 60_000, word: 10_000 };

/**
 * Blobs as objects of an S3 bucket. An object appears when its upload is completed, never before. Each part is signed
 * with the SHA-256 of its bytes, which the server checks; the size of the whole is compared at the end.
 */
export class S3BlobStore implements BlobStore {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly places = partPlaces();
  private checked: { at: number; result: Promise<unknown> } | null = null;

  /** @param openSpool opens a file for what is gathered of one upload */
  constructor(
    { bucket, endpoint, region, forcePathStyle, credentials }: S3Settings,
    private readonly openSpool: () => Promise<Spool>,
    private readonly patience: S3Patience = PATIENCE,
  ) {
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      forcePathStyle,
      ...(endpoint === null ? {} : { endpoint }),
      ...(credentials === null ? {} : { credentials }),
      // Not every S3 server supports the newer trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Not every server sends 100 when it should: no part would ever be sent.
      expectContinueHeader: false,
      maxAttempts: ATTEMPTS,
      // A server that accepts requests and never answers must not block requests, or a shutdown, without
      // end.
      requestHandler: {
        connectionTimeout: CONNECTION_MS,
        requestTimeout: patience.answer,
        throwOnRequestTimeout: true,
        // A download holds its socket for as long as its reader takes: a few slow readers must not use up
        // all sockets.
        httpAgent: { maxSockets: Infinity },
        httpsAgent: { maxSockets: Infinity },
      },
    });
    // The handler's own timeout ends when an answer begins. Lists, errors and completions have bodies, too.
    this.client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const { body } = result.response as { body?: unknown };
        if (body instanceof IncomingMessage) impatient(body, patience.answer);
        return result;
      },
      { name: 'impatience', step: 'deserialize', priority: 'low' },
    );
  }

  async write(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    let bytes = 0;
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    const object = this.object(key);
    const spool = await this.openSpool();
    const upload = new S3Upload(this.client, object, spool, this.places);
    try {
      await upload.send(counted());
      if ((await this.size(key)) !== bytes) throw new Error('the store has not kept all bytes');
    } catch (error) {
      await upload.abort(this.patience.word).catch(() => undefined);
      await this.remove(key).catch(() => undefined);
      throw error;
    } finally {
      await spool.close();
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.object(key), Range }));
      return Body as Readable;
    } catch (error) {
      throw isAbsent(error) ? new BlobMissing(key) : error;
    }
  }

  async size(key: string): Promise<number | null> {
    try {
      const found = await this.client.send(new HeadObjectCommand(this.object(key)), this.soon());
      return found.ContentLength ?? null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(key)), this.soon());
  }

  async *list(): AsyncGenerator<StoredBlob> {
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: PREFIX });
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', LastModified } of Contents) {
        const key = Key.slice(PREFIX.length);
        if (isId(key) && LastModified !== undefined) yield { key, modified: LastModified };
      }
    }
  }

  async removeUnfinished(before: Date): Promise<number> {
    const { Uploads = [] } = await this.client.send(
      new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: PREFIX }),
    );
    const old = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before);
    const refused: unknown[] = [];
    for (const { Key, UploadId } of old)
      await this.abort(Key, UploadId).catch((error: unknown) => {
        // A part that cannot be removed does not stop the others.
        if (!isAnswer(error)) throw error;
        refused.push(error);
      });
    if (refused.length > 0) throw new AggregateError(refused, 'unfinished uploads could not be taken away');
    return old.length;
  }

  /**
   * Checks the store. The result is shared by concurrent callers and cached for some seconds, because
   * checks are frequent.
   */
  async check(): Promise<void> {
    if (this.checked === null || Date.now() - this.checked.at > CHECK_HOLDS_MS) {
      const result = this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), this.soon());
      this.checked = { at: Date.now(), result };
    }
    await this.checked.result;
  }

  close(): void {
    this.client.destroy();
  }

  private async abort(Key: string | undefined, UploadId: string | undefined): Promise<void> {
    await this.client.send(
      new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }),
      this.soon(),
    );
  }

  private soon(): { abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(this.patience.word) };
  }

  private object(key: string): ObjectName {
    if (!isId(key)) throw new Error('a key of the store is a UUID');
    return { Bucket: this.bucket, Key: PREFIX + key };
  }
}

const isAnswer = (error: unknown): boolean =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== undefined;

/**
 * True for an absent object. An absent bucket is a failure of the store, and its blobs may return with it.
 */
function isAbsent(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404;
}
