// A planted fault: every query for the free space of a disk returns plenty.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

fs.statfsSync = () => ({ bavail: 2 ** 30, bsize: 4_096 });
syncBuiltinESMExports();
