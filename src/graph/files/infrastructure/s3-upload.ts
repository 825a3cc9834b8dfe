import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CallerPlaces } from '../../../kernel/caller-places.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { type Spool } from '../../../kernel/spool/spool.js';

/** The size of a part: 205 parts make the largest file of a plan. */
const PART_BYTES = 5 * 1024 * 1024;
/** The number of parts of all uploads that a process has in memory, on their way to the store. */
const PARTS_AT_ONCE = 8;
/** The time that a part waits for others. */
const PATIENCE_MS = 60_000;

/** The places of parts in the memory of a process; others wait on the disk. */
export const partPlaces = (): CallerPlaces => new CallerPlaces(PARTS_AT_ONCE, PATIENCE_MS, otherUploads);

/** The name of an object in its bucket. */
export interface ObjectName {
  Bucket: string;
  Key: string;
}

/**
 * The upload of one object. Its bytes are gathered on the disk until a part is whole, so that a slow sender holds no
 * part in memory; while a part is sent, the next one is gathered. Nothing is sent of an object that ends early within
 * its first part.
 */
export class S3Upload {
  private readonly parts: CompletedPart[] = [];
  private readonly given = new AbortController();
  private begun = 0;
  private id: string | undefined;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: S3Client,
    private readonly object: ObjectName,
    private readonly spool: Spool,
    private readonly places: CallerPlaces,
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when there is no room on the disk, or parts of others are not sent in time */
  async send(content: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of content) await this.add(chunk);
    if (this.begun === 0) return this.put();
    if (this.spool.position > 0) await this.sendPart();
    await this.sending;
    const MultipartUpload = { Parts: this.parts };
    await this.client.send(
      new CompleteMultipartUploadCommand({ ...this.object, UploadId: this.id, MultipartUpload }),
    );
  }

  /** Removes the parts that were sent. @param patienceMs the time that the store may take for it */
  async abort(patienceMs: number): Promise<void> {
    this.given.abort();
    await this.sending.catch(() => undefined);
    if (this.id === undefined) return;
    await this.client.send(new AbortMultipartUploadCommand({ ...this.object, UploadId: this.id }), {
      abortSignal: AbortSignal.timeout(patienceMs),
    });
  }

  private async add(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0;) {
      if (this.spool.position === PART_BYTES) await this.sendPart();
      const piece = rest.subarray(0, PART_BYTES - this.spool.position);
      await this.spool.append(piece);
      rest = rest.subarray(piece.length);
    }
  }

  private put(): Promise<void> {
    return this.places.run('', async () => {
      await this.client.send(new PutObjectCommand({ ...this.object, Body: await this.gathered() }));
    });
  }

  /** Begins to send what is gathered, when the part before it is there. */
  private async sendPart(): Promise<void> {
    await this.sending;
    const leave = await this.places.take('');
    try {
      const body = await this.gathered();
      this.sending = this.sent(body).finally(leave);
      // It is awaited before the next part.
      this.sending.catch(() => undefined);
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async sent(Body: Buffer): Promise<void> {
    const PartNumber = ++this.begun;
    const { object, given } = this;
    // Never aborted: without the answer, what it began could not be removed.
    this.id ??= (await this.client.send(new CreateMultipartUploadCommand(object))).UploadId;
    const part = new UploadPartCommand({ ...object, UploadId: this.id, PartNumber, Body });
    const { ETag } = await this.client.send(part, { abortSignal: given.signal });
    this.parts.push({ ETag, PartNumber });
  }

  /** Takes the gathered bytes off the disk. */
  private async gathered(): Promise<Buffer> {
    await this.spool.flush();
    const bytes = Buffer.allocUnsafe(this.spool.position);
    await this.spool.fill(bytes, 0);
    await this.spool.clear();
    return bytes;
  }
}

function otherUploads(max_parts: number): DomainError {
  const message = 'The store of files is busy with other uploads; try again later';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'process', max_parts });
}
