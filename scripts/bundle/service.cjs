'use strict';
/**
 * Runs the bundle as a script of its own: only a script can be given what V8 compiled when the build ran it once
 * (code-cache.mjs), and compiling is a quarter of a start. What another version of V8 has compiled, or one with other flags,
 * it refuses and compiles anew. The script has this file's name, by whose last line Node finds the bundle's source map.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/**
 * By how much the heap may grow between two collections of its old part, in percent of what is in use. Left to itself V8
 * lets it grow to the threefold and more, for a speed that cannot be told apart here (docs/performance.md). Set here
 * because flags have to be the same when code is kept and when it is taken.
 */
const HEAP_GROWTH = 100;
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);

const CODE = `${__dirname}/service.code`;
const PLACE = Buffer.from(`${__filename}\0`);
const script = new Script(readFileSync(`${__dirname}/service.bundle.js`, 'latin1'), {
  filename: __filename,
  cachedData: keptCode(),
});
script.runInThisContext()(exports, require, module, __filename, __dirname);

/** For the build. Whole or not at all. */
module.exports.keepCode = () => {
  writeFileSync(`${CODE}.new`, Buffer.concat([PLACE, script.createCachedData()]));
  renameSync(`${CODE}.new`, CODE);
};
/** Whether what was kept was refused; undefined where nothing was kept. */
module.exports.isCodeRefused = script.cachedDataRejected;

/** It begins with the name that it gives the script in stack traces: in another place it would be the wrong one. */
function keptCode() {
  try {
    const kept = readFileSync(CODE);
    return kept.indexOf(PLACE) === 0 ? kept.subarray(PLACE.length) : undefined;
  } catch {
    return undefined;
  }
}
//# sourceMappingURL=service.bundle.js.map
