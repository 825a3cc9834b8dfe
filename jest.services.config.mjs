import { modules, run, service } from './jest.shared.mjs';

/**
 * The end-to-end tests again, on real services (`npm run test:services`), and those that need a browser. Pure specs
 * beside the code, tests of the embedded database and of the command line, and what asks no database are not repeated. @type {import('jest').Config}
 */
export default {
  ...run,
  // Much of each test is waited for in processes and services beside it.
  maxWorkers: 3,
  projects: [
    modules({
      roots: ['<rootDir>/test/interference', '<rootDir>/test/equality'],
      testRegex: '\\.test\\.ts$',
    }),
    service({
      roots: ['<rootDir>/test'],
      testRegex: '\\.test\\.ts$',
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/architecture/',
        '/test/equality/',
        '/test/faults/embedded',
        '/test/graph/(files/blob-stores|schemas/json-schema-suite)',
        '/test/identity/window-counters',
        '/test/import/operator',
        '/test/interference/',
        '/test/kernel/values',
        '/test/measure/',
        '/test/privacy/permissions',
      ],
    }),
  ],
};
