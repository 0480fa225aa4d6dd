import type { Command } from 'commander';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, terminal } from '../terminal.ts';

interface ServiceOptions {
  readonly port?: string;
  readonly dryRun?: true;
}

const DRY_RUN = ['--dry-run', 'only print what would be done'] as const;

export function addComputerServiceCommands(program: Command): void {
  const service = program
    .command('service')
    .description('Run the gateway as a service of Windows or macOS, for everyone who uses this computer.');
  service
    .command('create')
    .description('Make the installed gateway a service and start it, or renew the service after an update.')
    .option('--port <n>', 'the port to listen on; 8080 if left out, or as before')
    .option(...DRY_RUN)
    .addHelpText(
      'after',
      '\nRun this as an administrator, with the Faxdesk that an installer brought. Without --data the faxes are in C:\\ProgramData\\Faxdesk or /Library/Application Support/Faxdesk/data. A fax that is being sent is finished first.',
    )
    .action(
      action<ServiceOptions>(async ({ options }) => {
        const { createService } = await import('../service/manage-service.ts');
        const port = options.port === undefined ? null : portOf(options.port);
        const url = await createService({ data: options.data ?? null, port }, outputOf(options));
        if (url !== null) terminal.print(`Faxdesk is ready at ${new URL('/admin/ui/', url).href}`);
      }),
    );
  service
    .command('show')
    .description(
      'Show whether the service runs, its data folder, and its address for the windows of this computer.',
    )
    .action(
      action(async ({ answer }) => {
        const { showService } = await import('../service/manage-service.ts');
        answer(await showService(), (state) =>
          facts([
            ['Service', stateWord(state)],
            ['Data folder', state.dataFolder],
            ['Address on this computer', state.url ?? '-'],
            ['Address for windows', state.gateway ?? '-'],
            ['Last words', state.log],
          ]),
        );
      }),
    );
  service
    .command('stop')
    .description(
      'Stop the service until the computer starts again; a fax that is being sent is finished first.',
    )
    .option(...DRY_RUN)
    .action(
      action<ServiceOptions>(async ({ options }) => {
        const { stopService } = await import('../service/manage-service.ts');
        await stopService(outputOf(options));
        if (!options.dryRun) terminal.print('Stopped.');
      }),
    );
  service
    .command('remove')
    .description('Stop the service and remove it. The data stays.')
    .option(...DRY_RUN)
    .action(
      action<ServiceOptions>(async ({ options }) => {
        const { removeService } = await import('../service/manage-service.ts');
        const dataFolder = await removeService(outputOf(options));
        if (!options.dryRun) terminal.print(`Removed. Its data stays in ${dataFolder}.`);
      }),
    );
}

/** Receives the steps in place of the system, for a person who only looks at them. */
function outputOf({ dryRun }: ServiceOptions) {
  return dryRun ? (lines: string) => terminal.print(lines) : null;
}

function stateWord({ exists, isRunning }: { exists: boolean; isRunning: boolean }): string {
  if (!exists) return 'none';
  return isRunning ? 'running' : 'stopped';
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port > 0 && port <= 65_535) return port;
  throw new CommandFailure('--port must be a number from 1 to 65535.', EXIT.badValues);
}
