import type { Command } from 'commander';
import { action } from '../command.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../backup-work.ts');

export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('Back up an installation.')
    .addHelpText('after', '\nThe word `create` may be left out.');
  backup
    .command('create', { isDefault: true })
    .description(
      'Write everything to one file, whether or not the gateway is running. Keep the file as safe as the installation.',
    )
    .argument('[file]', 'a .zip file to write; its name is made of the time when left out')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .addHelpText(
      'after',
      `
Run it on the computer of the gateway. The file holds settings, people, faxes and documents, and with the data key
what opens the stored credentials; without that key the command says so and ends with 1. The .env file, logs and audit
files of the data folder are not in it.

Example:
  faxdesk backup create /media/safe/monday.zip`,
    )
    .action(action<{ overwrite?: boolean }>(async (...given) => (await work()).backUp(...given)));
  program
    .command('restore')
    .description('Restore an installation from a backup while its gateway is not running.')
    .argument('<file>', 'a backup')
    .option('--replace', 'move an existing installation aside instead of refusing')
    .addHelpText(
      'after',
      `
The whole backup is checked before anything is written. Faxes that were about to be sent are held, because they may
have been sent after the backup was made: check with the recipients, then release or cancel each. People and API keys are
those of the backup: revoke again what was revoked since.

Example:
  faxdesk restore monday.zip --data /srv/faxdesk`,
    )
    .action(action<{ replace?: boolean }>(async (...given) => (await work()).restore(...given)));
}
