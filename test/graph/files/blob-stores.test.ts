import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DiskBlobStore } from '../../../src/graph/files/infrastructure/blob-store.disk.js';
import { S3BlobStore } from '../../../src/graph/files/infrastructure/blob-store.s3.js';
import { keepsBlobs } from '../../support/blob-stores.js';
import { s3Settings } from '../../support/s3.js';
import { spoolsOfTest } from '../../support/spools.js';

const { folder, room, openSpool } = spoolsOfTest();
keepsBlobs(
  'on disk',
  () => new DiskBlobStore(folder, room),
  () => readdirSync(join(folder, 'incoming')),
);

describe('the check of a blob store', () => {
  it('fails where nothing can be stored', async () => {
    await expect(new DiskBlobStore(join(import.meta.filename, 'files'), room).check()).rejects.toThrow();
    const settings = { ...s3Settings, bucket: 'none', endpoint: 'http://127.0.0.1:9' };
    const nowhere = new S3BlobStore(settings, openSpool);
    await expect(nowhere.check()).rejects.toThrow();
  });
});
