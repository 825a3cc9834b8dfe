import shared from './jest.shared.mjs';

/** Every test that needs nothing but Node (`npm test`). @type {import('jest').Config} */
export default {
  ...shared,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.(spec|test)\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '/test/browser/', '/test/faults/postgres'],
};
