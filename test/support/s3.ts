import { type S3Settings } from '../../src/config/config.js';

const { TEST_S3_BUCKET, TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env;

/** True if there is an S3 server for tests. */
export const hasS3 = Boolean(TEST_S3_ENDPOINT);

/** Settings that make a service store its files there. */
export const s3Environment: Record<string, string> = {
  S3_BUCKET: TEST_S3_BUCKET ?? '',
  S3_ENDPOINT: TEST_S3_ENDPOINT ?? '',
  S3_FORCE_PATH_STYLE: 'true',
  AWS_ACCESS_KEY_ID: TEST_S3_ACCESS_KEY_ID ?? '',
  AWS_SECRET_ACCESS_KEY: TEST_S3_SECRET_ACCESS_KEY ?? '',
};

export const s3Settings: S3Settings = {
  bucket: TEST_S3_BUCKET ?? '',
  endpoint: TEST_S3_ENDPOINT ?? '',
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: {
    accessKeyId: TEST_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? '',
  },
};
