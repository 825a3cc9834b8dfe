// Planted faults: the service without one of its bounds, which FAULT_UNBOUNDED names.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const BOUNDS = {
  // A page ends only at its limit, is read in one part, and any number are made at once.
  pages: [
    [/\bPAGE_BYTES=4\*1024\*1024/, 'PAGE_BYTES=4*1024**4'],
    [/\bPART_BYTES=1024\*1024/, 'PART_BYTES=1024**4'],
  ],
  // Transformations do not yield, and run again for each answer.
  transformations: [[/\bSLICE_MS=5\b/, 'SLICE_MS=1e9']],
  // Each of a node's tags is compared with each entry of a list.
  ids: [[/\bHASHED_FROM=50\b/, 'HASHED_FROM=1e9']],
  // Temporary refusals do not say when to retry.
  refusals: [[/\bresponse\.setHeader\("Retry-After",RETRY_SECONDS\)/, 'void 0']],
};

const bounds = BOUNDS[process.env.FAULT_UNBOUNDED];
const { readFileSync } = fs;
fs.readFileSync = (path, ...rest) => {
  const read = readFileSync(path, ...rest);
  if (!String(path).endsWith('service.bundle.js')) return read;
  let text = read.latin1Slice();
  for (const [bound, unbounded] of bounds) {
    if (!bound.test(text)) throw new Error(`nothing in the bundle is ${bound}`);
    text = text.replace(bound, unbounded);
  }
  return Buffer.from(text, 'latin1');
};
syncBuiltinESMExports();
