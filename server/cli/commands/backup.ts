import type { Command } from 'commander';
import { action } from '../command.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../backup-work.ts');

const IDENTITY = '--identity <file>';

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
    .option(
      '--output <file>',
      'the .zip file to write; encrypted, .age is added. If left out, the name is made from the time',
    )
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .addHelpText(
      'after',
      `
Run this on the gateway’s computer. The file contains settings, people, faxes and documents, and with the data key
also the stored credentials. If the data key is missing, the command reports it and exits with 1. The .env file, logs
and audit files of the data folder are not included. With BACKUP_RECIPIENTS in the settings the file is encrypted for them.

Example:
  faxdesk backup create --output /media/safe/monday.zip`,
    )
    .action(
      action<{ output?: string; overwrite?: boolean }>(async (context) => (await work()).backUp(context)),
    );
  addKeyCommands(backup);
  program
    .command('restore')
    .description('Restore an installation from a backup while its gateway is not running.')
    .argument('<file>', 'the backup file')
    .option('--replace', 'move an existing installation aside instead of refusing')
    .option(IDENTITY, 'the identity file that opens an encrypted backup')
    .addHelpText(
      'after',
      `
The whole backup is checked before anything is written. Faxes that were waiting to be sent are held, because they may
have been sent after the backup was made: check with the recipients, then release or cancel each fax. People and API keys
are as they were in the backup: if you revoked any since then, revoke them again.

Example:
  faxdesk restore monday.zip --data /srv/faxdesk`,
    )
    .action(
      action<{ replace?: boolean; identity?: string }>(async (...given) => (await work()).restore(...given)),
    );
}

function addKeyCommands(backup: Command): void {
  backup
    .command('create-key')
    .description('Create the identity that opens encrypted backups, and show its recipient.')
    .option('--output <file>', 'the identity file to write, which is never replaced', 'faxdesk-identity.txt')
    .addHelpText(
      'after',
      `
The recipient goes to the settings: every backup from then on is encrypted for it. Keep the identity file away from this
computer. Without it no backup can be opened, also by you.

Example:
  faxdesk backup create-key --output /media/safe/identity.txt`,
    )
    .action(action<{ output?: string }>(async (context) => (await work()).createKey(context)));
  backup
    .command('check')
    .description('Check every byte of a backup without restoring it.')
    .argument('<file>', 'the backup file')
    .option(IDENTITY, 'the identity file that opens an encrypted backup')
    .action(action<{ identity?: string }>(async (...given) => (await work()).checkBackup(...given)));
}
