import type { Command } from 'commander';
import { action } from '../command.ts';
import type { UpgradeOptions } from '../upgrade-work.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../upgrade-work.ts');

export function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('Move an installation of an earlier release into this one while no gateway is running.')
    .requiredOption('--from <database>', 'its database: a file, or a postgres:// address')
    .requiredOption('--files <folder>', 'the folder with its files')
    .option('--env <file>', 'its environment file, to move the settings as well')
    .option('--dry-run', 'show the report without changing anything')
    .addHelpText(
      'after',
      `
Faxes, documents, API keys, mailboxes, number rules, seen notifications and settings are moved. The earlier
installation is only read. A backup of this installation is made first. If the command is interrupted, run it again: it
continues. Run twice it adds nothing. Read the report before the first start: it has one line for everything that needs a
person, and the security audit keeps it.

Example:
  faxdesk upgrade --from /srv/fax/faxes.db --files /srv/fax/faxdata --env /srv/fax/.env --dry-run`,
    )
    .action(action<UpgradeOptions>(async (running) => (await work()).upgrade(running)));
}
