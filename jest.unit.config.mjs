import { modules, run } from './jest.shared.mjs';

/** Specs beside the code (`npm run test:unit`): no build, no server. @type {import('jest').Config} */
export default {
  ...run,
  ...modules({ roots: ['<rootDir>/src'], testRegex: '\\.spec\\.ts$' }),
};
