import { build } from '../../scripts/prepare.mjs';

/** Tests of the service ask what was built: nobody is to test yesterday's. */
export default build;
