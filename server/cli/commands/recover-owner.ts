import type { Command } from 'commander';
import { action } from '../command.ts';
import type { RecoverOptions } from '../recover-work.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../recover-work.ts');

export function addRecoverOwner(program: Command): void {
  program
    .command('recover-owner')
    .description(
      'Make somebody an enabled owner with a new password, while the gateway does not run. The password is shown once.',
    )
    .option('--login <login>', 'who; the only owner when left out. Somebody new when nobody has that name')
    .option('--name <name>', 'the name that is shown, for somebody new')
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
