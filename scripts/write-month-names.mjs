// Writes the month names of all languages of this Node's ICU into src/privacy/domain/exposure/month-names.ts:
// asking ICU at run time takes most of a second. Run it when the test of the month names says that one is missing.
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { monthNames } from '../test/support/month-names.mjs';

const FILE = 'src/privacy/domain/exposure/month-names.ts';
const lines = [];
for (const name of monthNames()) {
  const last = lines.at(-1);
  if (last === undefined || last.length + name.length > 108) lines.push(name);
  else lines[lines.length - 1] = `${last} ${name}`;
}
const source = `/**
 * Words for months in all languages of Node's ICU, in lower case, without accents. scripts/write-month-names.mjs
 * wrote them.
 */
export const MONTH_NAMES: ReadonlySet<string> = new Set(
  \`
${lines.join('\n')}
\`.trim().split(/\\s/),
);
`;
writeFileSync(FILE, await format(source, { ...(await resolveConfig(FILE)), parser: 'typescript' }));
