import type { Command } from 'commander';
import { action } from '../command.ts';
import type { RecoverOptions } from '../recover-work.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../recover-work.ts');

export function addRecoverOwner(program: Command): void {
  program
    .command('recover-owner')
    .description(
      'Make a person an enabled owner with a new password while the gateway is not running. The password is shown once.',
    )
    .option(
      '--login <login>',
      'sign-in name; the only owner if left out. If no one has it, a new person is created',
    )
    .option('--name <name>', 'the display name of a new person')
    .addHelpText(
      'after',
      `
For an owner who lost the password or the second factor. Run this on the gateway’s computer. Anyone who can read the
data folder can do this. The second factor of that person is removed, their sessions end, and the security audit
records it.

Example:
  faxdesk recover-owner --login maria --data /srv/faxdesk`,
    )
    .action(action<RecoverOptions>(async (running) => (await work()).recover(running)));
}
