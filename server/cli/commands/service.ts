import type { Command } from 'commander';
import { action } from '../command.ts';
import { folderOf } from '../data-folder.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { parseTime } from '../parse-time.ts';
import { terminal } from '../terminal.ts';

interface LogOptions {
  readonly follow?: true;
  readonly since?: string;
  readonly lines?: string;
}

const USUAL_LINES = 50;

export function addServiceCommands(program: Command): void {
  program
    .command('logs')
    .description('Show the newest lines of the gateway’s log, from the journal where it runs as a service.')
    .option('-f, --follow', 'go on with new lines until Ctrl-C')
    .option('--since <time>', 'all lines since a time, such as 2026-11-22T08:00')
    .option('--lines <n>', `how many lines; ${USUAL_LINES} if left out`)
    .addHelpText(
      'after',
      '\nRun this on the gateway’s computer; the gateway does not have to be running. With --json, each line is as it was logged.',
    )
    .action(
      action<LogOptions>(async ({ options }) => {
        const dataFolder = folderOf(options.data);
        const since = options.since === undefined ? null : parseTime(options.since);
        const { showLog } = await import('../show-log.ts');
        await showLog(dataFolder, {
          since,
          follow: options.follow ?? false,
          lines: linesOf(options.lines) ?? (since === null ? USUAL_LINES : null),
          asJson: options.json ?? false,
        });
      }),
    );
  program
    .command('restart')
    .description('Restart the service that runs the gateway on this computer, and wait until it is ready.')
    .action(
      action(async ({ options }) => {
        const dataFolder = folderOf(options.data);
        const { restartComputerService } = await import('../service/manage-service.ts');
        const { restartService } = await import('../system-service.ts');
        const url = (await restartComputerService(dataFolder)) ?? (await restartService(dataFolder));
        terminal.print(`Faxdesk is ready at ${url}.`);
      }),
    );
}

function linesOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,6}$/u.test(text)) return Number(text);
  throw new CommandFailure('--lines must be a number from 1 to 9999999.', EXIT.badValues);
}
