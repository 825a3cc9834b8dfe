import shared from './jest.shared.mjs';

/**
 * The end-to-end tests again, on real services (`npm run test:services`), and those that need a browser. Pure specs
 * beside the code and tests of the embedded database itself are not repeated. @type {import('jest').Config}
 */
export default {
  ...shared,
  roots: ['<rootDir>/test'],
  testRegex: '\\.test\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '/test/architecture/', '/test/faults/embedded'],
};
