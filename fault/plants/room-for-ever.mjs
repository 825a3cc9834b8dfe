// A planted fault: whoever asks how much room a disk has is told that there is plenty.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.statfsSync = () => ({ bavail: 2 ** 30, bsize: 4_096 });
syncBuiltinESMExports();
