import { build } from '../../scripts/prepare.mjs';

/** Builds before tests of the service, so that they never test an old build. */
export default build;
