'use strict';
/**
 * Runs the bundle as a script of its own: only a script can be given what V8 compiled when the build ran it once
 * (code-cache.mjs), and compiling is a quarter of a start. What another version of V8 has compiled, or one with other flags,
 * V8 refuses; it would take the code of another text of the same length, and damaged code too, so that is looked at here.
 * The script has this file's name, by whose last line Node finds the bundle's source map.
 */
const { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/**
 * By how much the heap may grow between two collections of its old part, in percent of what is in use. Left to itself V8
 * lets it grow to the threefold and more, for a speed that cannot be told apart here (docs/performance.md). A large heap
 * grows by less (src/kernel/observability/heap-growth.ts). The embedded database's functions are compiled one at a time:
 * each takes tens of megabytes meanwhile, which malloc keeps. Set here because flags have to be the same when code is
 * kept and when it is taken.
 */
const FLAGS = ['--heap-growing-percent=100', '--wasm-num-compilation-tasks=1'];
const setFlags = () => FLAGS.forEach((flag) => setFlagsFromString(flag));
setFlags();

const CODE = `${__dirname}/service.code`;
const SUM_BYTES = 4;
let bundle = readFileSync(`${__dirname}/service.bundle.js`);
/** With the place and the processor: code gives its script the name, in stack traces, that it had where it was compiled. */
const BUNDLE_SUM = crc32(bundle, crc32(`${process.arch} ${__filename}`));
const script = new Script(bundle.latin1Slice(), { filename: __filename, cachedData: keptCode() });
// V8 has the text.
bundle = null;
script.runInThisContext()(exports, require, module, __filename, __dirname);

/** For the build. Whole or not at all. */
module.exports.keepCode = () => {
  setFlags();
  const code = script.createCachedData();
  const file = openSync(`${CODE}.new`, 'w');
  writeFileSync(file, Buffer.concat([sumOf(code), code]));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${CODE}.new`, CODE);
};
/** For tests. */
module.exports.codeWas =
  script.cachedDataRejected === undefined ? 'absent' : script.cachedDataRejected ? 'refused' : 'taken';

/** Undefined where it does not belong to this bundle in this place. */
function keptCode() {
  try {
    const kept = readFileSync(CODE);
    const code = kept.subarray(SUM_BYTES);
    return sumOf(code).equals(kept.subarray(0, SUM_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function sumOf(code) {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32BE(crc32(code, BUNDLE_SUM));
  return sum;
}
//# sourceMappingURL=service.bundle.js.map
