/** What both lanes share. @type {import('jest').Config} */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testTimeout: 180_000,
  maxWorkers: 2,
  // An embedded database's memory is not given back before its process ends.
  workerIdleMemoryLimit: '1200MB',
};
