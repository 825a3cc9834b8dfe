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
import { Upload } from '@aws-sdk/lib-storage';
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type S3Settings } from '../../config/config.js';
import { isId } from '../../kernel/ids.js';
import { BlobMissing, type BlobStore, type ByteRange, type StoredBlob } from '../application/blob-store.js';
import { impatient } from './impatient-body.js';

/** The bucket may hold other things: ours begin with this. */
const PREFIX = 'files/';
/** Parts of an upload that are in memory at a time, and their size: 205 of them make the largest file of a plan. */
const PARTS_AT_ONCE = 2;
const PART_BYTES = 5 * 1024 * 1024;
const CHECK_HOLDS_MS = 10_000;
const CONNECTION_MS = 5_000;
/** Each of them as long as the store may take for an answer. */
const ATTEMPTS = 2;

/** How long the store is waited for, in milliseconds. */
export interface S3Patience {
  /** Until an answer begins, when a part of an upload has to be through; and for each piece of a body. */
  answer: number;
  /** For questions and orders of one line, with all their attempts. */
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
  private checked: { at: number; result: Promise<unknown> } | null = null;

  constructor(
    { bucket, endpoint, region, forcePathStyle, credentials }: S3Settings,
    private readonly patience: S3Patience = PATIENCE,
  ) {
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      forcePathStyle,
      ...(endpoint === null ? {} : { endpoint }),
      ...(credentials === null ? {} : { credentials }),
      // Not every server that speaks S3 knows the newer trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Nor does every one say 100 when it is expected to: no part would ever be sent.
      expectContinueHeader: false,
      maxAttempts: ATTEMPTS,
      // A server that takes requests and says nothing must not keep ours, or a stop, waiting for ever.
      requestHandler: {
        connectionTimeout: CONNECTION_MS,
        requestTimeout: patience.answer,
        throwOnRequestTimeout: true,
        // A download holds its socket for as long as its reader takes: few slow ones must not use all of them up.
        httpAgent: { maxSockets: Infinity },
        httpsAgent: { maxSockets: Infinity },
      },
    });
    // The handler's own time ends where an answer begins. Lists, words of refusal and completions have bodies, too.
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
    const upload = new Upload({
      client: this.client,
      params: { ...this.object(key), Body: Readable.from(counted(), { objectMode: false }) },
      queueSize: PARTS_AT_ONCE,
      partSize: PART_BYTES,
      // They are taken away below, by a request that does not wait as long as a part may.
      leavePartsOnError: true,
    });
    try {
      await upload.done();
      if ((await this.size(key)) !== bytes) throw new Error('the store has not kept all bytes');
    } catch (error) {
      if (upload.uploadId !== undefined)
        await this.abort(this.object(key).Key, upload.uploadId).catch(() => undefined);
      await this.remove(key).catch(() => undefined);
      throw error;
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
        // One that cannot be taken away does not keep the others.
        if (!isAnswer(error)) throw error;
        refused.push(error);
      });
    if (refused.length > 0) throw new AggregateError(refused, 'unfinished uploads could not be taken away');
    return old.length;
  }

  /** Asked often: the answer holds for some seconds, and those who ask meanwhile share it. */
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

  private object(key: string): { Bucket: string; Key: string } {
    if (!isId(key)) throw new Error('a key of the store is a UUID');
    return { Bucket: this.bucket, Key: PREFIX + key };
  }
}

const isAnswer = (error: unknown): boolean =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== undefined;

/** Without its bucket the store is away, and its blobs may come back with it. */
function isAbsent(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404;
}
