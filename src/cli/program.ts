import { Argument, Command, Option } from 'commander';
import { Config, type Tier, TIERS } from '../config/config.js';
import { exportUser, importArchive } from './archives.js';
import { assist } from './assist.js';
import { changeEmail } from './change-email.js';
import { createUser, type NewUser } from './create-user.js';
import { embed } from './embed.js';
import { eraseUser } from './erase-user.js';
import { importSource, type ImportArguments } from './import-source.js';
import { listImports, undoImport } from './imports.js';
import { listUsers } from './list-users.js';
import { fromCaller, print, UsageError, withService } from './operator.js';
import { resetLink, resetPassword } from './reset-password.js';
import { type DemoAccount, seedDemo } from './seed-demo.js';
import { setTier } from './set-tier.js';
import { verifyEmail } from './verify-email.js';

/** All commands of the operator (rule 1.13). Each opens the service on its database, works and closes it. */
export function operatorProgram(): Command {
  const program = new Command('npm run cli --')
    .description('Commands for the operator of a Personal Identity Graph Service.')
    .exitOverride()
    .showHelpAfterError(false);
  // Opening the service migrates the database: there is nothing else to do.
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(() => withService(async () => print('The database is up to date.')));
  program
    .command('seed-demo')
    .description('make a demo user with a few nodes, and an app that may read some of them')
    .action(() => withService(async (app) => printDemo(await seedDemo(app), app.get(Config).publicUrl)));
  addAccountCommands(program);
  addGraphCommands(program);
  program
    .command('mcp')
    .description(
      'speak the Model Context Protocol over standard input and output, for an assistant on this machine; the credential is read from PIG_TOKEN, or from PIG_KEY and PIG_USER_ID',
    )
    .option('--url <address>', 'the address of a running service; by default the database is opened here')
    .action(({ url }: { url?: string }) => assist(url));
  return program;
}

interface ResetOptions {
  link: boolean;
  passwordStdin: boolean;
  removeSecondFactors: boolean;
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
    .description('change the tier of an app or a user, from the next request on')
    .addArgument(new Argument('<kind>').choices(['app', 'user']))
    .argument('<name>', 'id of the app; id, username or e-mail address of the user')
    .addArgument(new Argument('<tier>').choices(TIERS))
    .action((kind: 'app' | 'user', name: string, tier: Tier) =>
      withService(async (app) => print(await setTier(app, { kind, name, tier }))),
    );
  program
    .command('list-users')
    .description('list all users, the oldest account first')
    .action(() => withService(listUsers));
  program
    .command('reset-password')
    .description('set a new password for a user who cannot log in any more, and log them out everywhere')
    .argument('<user>', 'username, e-mail address or id')
    .addOption(
      new Option('--password-stdin', 'read the password from standard input instead of making one')
        .default(false)
        .conflicts('link'),
    )
    .option('--link', 'print a link by which they choose one themselves, within an hour', false)
    .addOption(
      new Option(
        '--remove-second-factors',
        'also remove the authenticator app and the recovery codes, for a user who has lost them',
      )
        .default(false)
        .conflicts('link'),
    )
    .action((name: string, { link, passwordStdin, removeSecondFactors }: ResetOptions) =>
      withService(async (app) =>
        (link
          ? await resetLink(app, name)
          : await resetPassword(app, {
              name,
              isGiven: passwordStdin,
              removesSecondFactors: removeSecondFactors,
            })
        ).forEach((line) => print(line)),
      ),
    );
  program
    .command('verify-email')
    .description(
      'take the e-mail address of a user as theirs, at your word, so that letters may reset their password',
    )
    .argument('<user>', 'username, e-mail address or id')
    .action((name: string) => withService(async (app) => print(await verifyEmail(app, name))));
  program
    .command('change-email')
    .description('change the e-mail address of a user without verification; the old address is notified')
    .argument('<user>', 'username, e-mail address or id')
    .argument('<address>', 'the new e-mail address')
    .action((name: string, address: string) =>
      withService(async (app) => print(await changeEmail(app, name, address))),
    );
  program
    .command('erase-user')
    .description('erase an account and all that is in it, permanently')
    .argument('<id>', 'id of the user')
    .action((id: string) => eraseUser(id));
}

function addGraphCommands(program: Command): void {
  program
    .command('import')
    .description(
      'read a folder of Markdown notes or a JSON Résumé (.json) into a user’s graph, repeatably; or an archive (.zip) into an empty one',
    )
    .argument('<path>', 'the folder or file')
    .requiredOption('--user <name>', 'username, e-mail address or id of the owner')
    .option(
      '--collection <name>',
      'the name of this import, by default that of the folder: the same name finds the same nodes again',
    )
    .option('--tag <tag>', 'a tag for every imported node; may be repeated', collected)
    .option('--any-size', 'take files that are larger than the plan of the user allows', false)
    .option('--warnings', 'list every warning')
    .action((path: string, options: Omit<ImportArguments, 'path'>) => importAny({ path, ...options }));
  program
    .command('imports')
    .description('list the imports of a user')
    .requiredOption('--user <name>', 'username, e-mail address or id of the owner')
    .action(({ user }: { user: string }) => listImports(user));
  program
    .command('undo-import')
    .description('delete the nodes of an import that nobody has changed since; every node can be restored')
    .argument('<name>', 'the name of the import')
    .requiredOption('--user <name>', 'username, e-mail address or id of the owner')
    .action((name: string, { user }: { user: string }) => undoImport(name, user));
  program
    .command('embed')
    .description(
      'send the texts that wait for their vectors, of owners who have switched it on, and wait for them',
    )
    .option('--user <name>', 'username, e-mail address or id of one owner')
    .action(({ user }: { user?: string }) => embed(user));
  program
    .command('export')
    .description('write everything of a user into an archive, which import brings back')
    .argument('<user>', 'username, e-mail address or id')
    .argument('[file]', 'the file to write; by default the username with .zip')
    .action((user: string, file?: string) => exportUser(user, file));
}

function importAny(given: ImportArguments): Promise<void> {
  if (!given.path.toLowerCase().endsWith('.zip')) return importSource(given);
  if (given.collection !== undefined || given.tag !== undefined)
    throw new UsageError('an archive is restored unchanged: --collection and --tag are for notes');
  return importArchive(fromCaller(given.path), given.user);
}

/** One value for each use of an option: another word after it is the path. */
const collected = (value: string, before: string[] = []): string[] => [...before, value];

function printDemo({ email, password, userId, appKey }: DemoAccount, url: string): void {
  print(`Demo user ${email}, password ${password}, id ${userId}`);
  print(`App key ${appKey}`);
  print(`curl -H 'X-API-Key: ${appKey}' -H 'X-User-ID: ${userId}' '${url}/api/v1/nodes?include_tags=true'`);
}
