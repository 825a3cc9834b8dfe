import { join } from 'node:path';
import { type Config } from '../../config/config.js';
import { type BlobStore } from '../application/blob-store.js';
import { DiskBlobStore } from './blob-store.disk.js';

/** The store that the configuration names. The client of S3 takes a tenth of the start: it is loaded for whoever has one. */
export async function openBlobStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<BlobStore> {
  if (s3 === null) return new DiskBlobStore(join(dataDir, 'files'));
  const { S3BlobStore } = await import('./blob-store.s3.js');
  return new S3BlobStore(s3);
}
