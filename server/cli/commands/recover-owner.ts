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
      'sign-in name; the only owner if left out. If nobody has it, a new person is created',
    )
    .option('--name <name>', 'the name that is shown, for a new person')
    .addHelpText(
      'after',
      `
For an owner who lost the password or the second factor. Run it on the computer of the gateway: whoever can read the
data folder may do this. The second factor of that person is removed, their sessions end, and the security audit says
so.

Example:
  faxdesk recover-owner --login maria --data /srv/faxdesk`,
    )
    .action(action<RecoverOptions>(async (running) => (await work()).recover(running)));
}
