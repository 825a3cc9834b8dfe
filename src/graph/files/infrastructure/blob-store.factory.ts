import { join } from 'node:path';
import { type Config } from '../../../config/config.js';
import { Spool } from '../../../kernel/spool/spool.js';
import { type SpoolRoom } from '../../../kernel/spool/spool-room.js';
import { type BlobStore } from '../application/blob-store.js';
import { DiskBlobStore } from './blob-store.disk.js';

/** The configured store. The S3 client takes a tenth of the start, so it is loaded only when configured. */
export async function openBlobStore(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  room: SpoolRoom,
): Promise<BlobStore> {
  if (s3 === null) return new DiskBlobStore(join(dataDir, 'files'), room);
  const { S3BlobStore } = await import('./blob-store.s3.js');
  return new S3BlobStore(s3, () => Spool.open(dataDir, room));
}
