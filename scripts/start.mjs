// npm start: installs missing dependencies, rebuilds a stale build, serves. With nothing to do it costs a few
// milliseconds.
import { spawn } from 'node:child_process';
import { MALLOC } from './malloc.mjs';
import { prepare } from './prepare.mjs';

await prepare();
const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...MALLOC, ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
