import { type Command, Option } from 'commander';
import { action } from '../command.ts';
import type { MoveCommandOptions } from '../move-work.ts';

/** Loaded when it is needed: it brings the database and the rooms with it. */
const work = () => import('../move-work.ts');

export function addMove(program: Command): void {
  program
    .command('move')
    .description('Move the records of an installation to PostgreSQL or back, while no gateway is running.')
    .addOption(new Option('--to <database>', 'where to').choices(['postgres', 'sqlite']))
    .option('--check', 'only check whether the move can begin, and count what it would move')
    .option('--take-back', 'undo a move after which Faxdesk was not started yet')
    .option(
      '--target-lost',
      'with --take-back: the database it was moved to is lost, so hold faxes that wait',
    )
    .addHelpText(
      'after',
      `
DATABASE_URL is the address of the PostgreSQL database, in both directions: in the environment, or in the .env file of the
data folder. The database must be empty. Documents and keys stay where they are. Every row is compared at the end; only then
is the installation marked as moved, and no gateway starts on the former database. If the command is interrupted, run
it again: it continues. Make a backup first.

Example:
  DATABASE_URL=postgres://fax@db.example.office/fax faxdesk move --to postgres --data /srv/faxdesk`,
    )
    .action(action<MoveCommandOptions>(async (running) => (await work()).move(running)));
}
