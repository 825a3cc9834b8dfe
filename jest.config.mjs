import { modules, run, service } from './jest.shared.mjs';

/** Every test that needs nothing but Node (`npm test`). @type {import('jest').Config} */
export default {
  ...run,
  projects: [
    modules({ roots: ['<rootDir>/src'], testRegex: '\\.spec\\.ts$' }),
    service({
      roots: ['<rootDir>/test'],
      testRegex: '\\.(spec|test)\\.ts$',
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/browser/',
        '/test/faults/postgres',
        // Sweeps over all routes that take minutes: `npm run test:services` has them.
        '/test/access/(leak-markers|permission-table)',
        '/test/contract/(examples|fuzz-api|hostile-bodies|hostile-strings|validation-messages)',
        '/test/interference/',
      ],
    }),
  ],
};
