import type { Command } from 'commander';
import { action } from '../command.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../backup-work.ts');

export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('Back up an installation.')
    .addHelpText('after', '\nYou can leave out the word `create`.');
  backup
    .command('create', { isDefault: true })
    .description(
      'Write everything to one file, whether or not the gateway is running. Keep the file as safe as the installation.',
    )
    .option('--output <file>', 'the .zip file to write; if left out, the name is made from the time')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .addHelpText(
      'after',
      `
Run this on the gateway’s computer. The file contains settings, people, faxes and documents, and with the data key
also the stored credentials. If the data key is missing, the command reports it and exits with 1. The .env file, logs
and audit files of the data folder are not included.

Example:
  faxdesk backup create --output /media/safe/monday.zip`,
    )
    .action(
      action<{ output?: string; overwrite?: boolean }>(async (context) => (await work()).backUp(context)),
    );
  program
    .command('restore')
    .description('Restore an installation from a backup while its gateway is not running.')
    .argument('<file>', 'the backup file')
    .option('--replace', 'move an existing installation aside instead of refusing')
    .addHelpText(
      'after',
      `
The whole backup is checked before anything is written. Faxes that were waiting to be sent are held, because they may
have been sent after the backup was made: check with the recipients, then release or cancel each fax. People and API keys
are as they were in the backup: if you revoked any since then, revoke them again.

Example:
  faxdesk restore monday.zip --data /srv/faxdesk`,
    )
    .action(action<{ replace?: boolean }>(async (...given) => (await work()).restore(...given)));
}
