import { leavesNothing } from '../portability/erasures.js';
import { hasS3, s3Environment } from '../support/s3.js';

// Without an S3 server this would be the suite on disk once more.
if (!hasS3) throw new Error('tests of S3 need TEST_S3_ENDPOINT: npm run test:services');
leavesNothing('in S3', s3Environment);
