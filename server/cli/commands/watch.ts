import type { Command } from 'commander';
import { DELIVERY_STATES } from '../../../shared/states/outbound.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';

interface WatchOptions {
  readonly state?: string;
  readonly to?: string;
  readonly search?: string;
}

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description(
      'Show sent faxes as they change, until Ctrl-C: on a terminal a list that is redrawn, otherwise a line for each change.',
    )
    .addOption(choiceOption('--state <states>', DELIVERY_STATES, '; several separated by commas'))
    .option('--to <number>', 'sent to this number')
    .option('--search <text>', 'part of the number or of the file name')
    .action(
      action<WatchOptions>(async ({ options, client }) => {
        const { state, to, search: q, json = false } = options;
        // Loaded here, because other commands start faster without it.
        const { watchFaxes } = await import('../watch-faxes.ts');
        await watchFaxes(await client(), { state, to, q }, json);
      }),
    );
}
