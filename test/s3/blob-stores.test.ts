import { S3BlobStore } from '../../src/graph/files/infrastructure/blob-store.s3.js';
import { keepsBlobs } from '../support/blob-stores.js';
import { spoolsOfTest } from '../support/spools.js';
import { s3Settings } from '../support/s3.js';

const { openSpool } = spoolsOfTest();
keepsBlobs('in S3', () => new S3BlobStore(s3Settings, openSpool));
