import { parseArgs } from 'node:util';
import { type Kind } from './dataset/databases.js';
import { FULL, QUICK, type Size } from './dataset/world.js';
import { OPERATIONS } from './operations.js';

export interface Options {
  databases: Kind[];
  operations: string[];
  size: Size;
  seed: number;
  rounds: number;
  seconds: number;
  connections: number;
  fresh: boolean;
  limit: boolean;
  profile: boolean;
  logLevel: string;
  /** Setting of a second process of the service that replaces the references; null: the references. */
  against: { name: string; value: string } | null;
}

const HELP = `npm run bench -- [options]
  --quick               a fifth of the data, short rounds
  --database <kind>     postgres, pglite or both (default both)
  --only <names>        operations, separated by commas: ${OPERATIONS.map(({ name }) => name).join(', ')}
  --seed <n>            (default 1)      --rounds <n>  (default 5)
  --seconds <n>         of one round (default 5)
  --connections <n>     (default 16)
  --fresh               load the data anew, also when a loaded copy is at hand
  --no-limit            leave out the node:http reference
  --against <N=value>   compare with the service itself under this setting, for example FAST_PATHS_OFF=request-shapes
  --profile             write a CPU profile of the service into .services/bench
  --log-level <level>   of the service (default info, written to a file)
PostgreSQL is started by scripts/services unless BENCH_DATABASE_URL names a server (its role must be a superuser).`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean' },
      quick: { type: 'boolean', default: false },
      database: { type: 'string', default: 'both' },
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '16' },
      fresh: { type: 'boolean', default: false },
      'no-limit': { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      against: { type: 'string' },
      'log-level': { type: 'string', default: 'info' },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  return {
    databases: values.database === 'both' ? ['postgres', 'pglite'] : [values.database as Kind],
    operations: values.only?.split(',') ?? OPERATIONS.map(({ name }) => name),
    size: values.quick ? QUICK : FULL,
    seed: Number(values.seed),
    rounds: Number(values.rounds ?? (values.quick ? 3 : 5)),
    seconds: Number(values.seconds ?? (values.quick ? 2 : 5)),
    connections: Number(values.connections),
    fresh: values.fresh,
    limit: !values['no-limit'],
    profile: values.profile,
    logLevel: values['log-level'],
    against: values.against === undefined ? null : readSetting(values.against),
  };
}

function readSetting(text: string): NonNullable<Options['against']> {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error('--against takes NAME=value');
  return { name, value };
}
