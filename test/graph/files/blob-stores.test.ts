import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskBlobStore } from '../../../src/graph/files/infrastructure/blob-store.disk.js';
import { S3BlobStore } from '../../../src/graph/files/infrastructure/blob-store.s3.js';
import { keepsBlobs } from '../../support/blob-stores.js';
import { s3Settings } from '../../support/s3.js';

const folder = mkdtempSync(join(tmpdir(), 'pig-blobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
keepsBlobs(
  'on disk',
  () => new DiskBlobStore(folder),
  () => readdirSync(join(folder, 'incoming')),
);

describe('the check of a blob store', () => {
  it('fails where nothing can be stored', async () => {
    await expect(new DiskBlobStore(join(import.meta.filename, 'files')).check()).rejects.toThrow();
    const nowhere = new S3BlobStore({ ...s3Settings, bucket: 'none', endpoint: 'http://127.0.0.1:9' });
    await expect(nowhere.check()).rejects.toThrow();
  });
});
