// npm run cli, demo, demo:oauth, openapi: brings the build up to date, then runs one of its entries.
import { spawnSync } from 'node:child_process';
import { prepare } from './prepare.mjs';

await prepare();
const { status } = spawnSync(process.execPath, ['--enable-source-maps', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
