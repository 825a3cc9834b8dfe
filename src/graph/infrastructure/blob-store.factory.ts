import { join } from 'node:path';
import { type Config } from '../../config/config.js';
import { type BlobStore } from '../application/blob-store.js';
import { DiskBlobStore } from './blob-store.disk.js';
import { S3BlobStore } from './blob-store.s3.js';

/** The store that the configuration names. */
export const openBlobStore = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): BlobStore =>
  s3 === null ? new DiskBlobStore(join(dataDir, 'files')) : new S3BlobStore(s3);
