import { Argument, Command } from 'commander';
import { Config, type Tier, TIERS } from '../config/config.js';
import { Apps, Users } from '../identity/index.js';
import { createUser, type NewUser } from './create-user.js';
import { importSource, type ImportArguments } from './import-source.js';
import { print, withService } from './operator.js';
import { type DemoAccount, seedDemo } from './seed-demo.js';

/** All commands of the operator (decisions 1.13). Each opens the service on its database, works and closes it. */
export function operatorProgram(): Command {
  const program = new Command('npm run cli --')
    .description('Commands for the operator of a Personal Identity Graph Service.')
    .exitOverride()
    .showHelpAfterError(false);
  // Opening the service brings the database up to date: there is nothing else to do.
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withService(async () => print('The database is up to date.')));
  program
    .command('seed-demo')
    .description('make a demo user with a few nodes, and an app that may read some of them')
    .action(() => withService(async (app) => printDemo(await seedDemo(app), app.get(Config).publicUrl)));
  addAccountCommands(program);
  program
    .command('import')
    .description('read a folder of Markdown notes, or a JSON Résumé (.json), into a user’s graph; repeatable')
    .argument('<path>', 'the folder or file')
    .requiredOption('--user <name>', 'username or id of the owner')
    .option('--collection <name>', 'what to call this source: the same name finds the same nodes again')
    .option('--tag <tag...>', 'tags for every imported node')
    .option('--warnings', 'list every warning')
    .action((path: string, options: Omit<ImportArguments, 'path'>) => importSource({ path, ...options }));
  return program;
}

function addAccountCommands(program: Command): void {
  program
    .command('create-user')
    .description('register a user')
    .requiredOption('--email <address>')
    .requiredOption('--username <name>')
    .option('--public', 'others may follow without asking', false)
    .option('--password-stdin', 'read the password from standard input instead of making one', false)
    .action((options: NewUser) => createUser(options));
  program
    .command('set-tier')
    .description('change the tier of an app or a user')
    .addArgument(new Argument('<kind>').choices(['app', 'user']))
    .argument('<id>')
    .addArgument(new Argument('<tier>').choices(TIERS))
    .action((kind: 'app' | 'user', id: string, tier: Tier) =>
      withService(async (app) => {
        await (kind === 'app' ? app.get(Apps) : app.get(Users)).setTier(id, tier);
        print(`The tier of ${kind} ${id} is ${tier}.`);
      }),
    );
}

function printDemo({ email, password, userId, appKey }: DemoAccount, url: string): void {
  print(`Demo user ${email}, password ${password}, id ${userId}`);
  print(`App key ${appKey}`);
  print(`curl -H 'X-API-Key: ${appKey}' -H 'X-User-ID: ${userId}' '${url}/api/v1/nodes?include_tags=true'`);
}
