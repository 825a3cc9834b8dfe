/** What both lanes share. @type {import('jest').Config} */
export const run = {
  maxWorkers: 2,
  // An embedded database's memory is not given back before its process ends.
  workerIdleMemoryLimit: '1200MB',
  testTimeout: 180_000,
};

const sources = {
  rootDir: '.',
  testEnvironment: '<rootDir>/test/support/engine-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

/** Tests of modules, which Jest compiles and loads; the interference rig puts another one in the place of a module. */
export const modules = (options) => ({ ...sources, displayName: 'modules', ...options });

/** The sources' own folder: a clone may stand in another one of that name. */
const sourcesOf = (root) => `^${root.replace(/[^\w/]/g, '\\$&')}/src/.+\\.ts$`;

/** Tests of the service, as it was compiled. */
export const service = (options) => ({
  ...sources,
  displayName: 'service',
  testEnvironment: '<rootDir>/test/support/service-environment.mjs',
  globalSetup: '<rootDir>/test/support/build.mjs',
  transform: {
    [sourcesOf(import.meta.dirname)]: '<rootDir>/test/support/service-module.mjs',
    ...sources.transform,
  },
  ...options,
});
