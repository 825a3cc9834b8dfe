import { modules, run, service } from './jest.shared.mjs';

/** Every test that needs nothing but Node (`npm test`). @type {import('jest').Config} */
export default {
  ...run,
  projects: [
    // The command line is tried in this process, whose environment and output Jest puts others in the place of.
    modules({
      roots: ['<rootDir>/src', '<rootDir>/test/import'],
      testRegex: '\\.spec\\.ts$|/operator\\.test\\.ts$',
    }),
    service({
      roots: ['<rootDir>/test'],
      testRegex: '\\.test\\.ts$',
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/browser/',
        '/test/import/operator',
        '/test/postgres/',
        '/test/redis/',
        '/test/s3/',
        // Sweeps over all routes that take minutes: `npm run test:services` has them.
        '/test/access/(leak-markers|permission-table)',
        '/test/contract/(examples|fuzz-api|hostile-bodies|hostile-strings|validation-messages)',
        '/test/equality/',
        '/test/interference/',
      ],
    }),
  ],
};
