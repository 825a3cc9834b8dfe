import shared from './jest.shared.mjs';

/** Every test that needs no outside server (`npm test`). @type {import('jest').Config} */
export default { ...shared, roots: ['<rootDir>/src', '<rootDir>/test'], testRegex: '\\.(spec|test)\\.ts$' };
