import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import {
  addPrinterCommand,
  FAX_PRINTER,
  inShell,
  removePrinterCommand,
  type SystemCommand,
} from '../../../shared/printer-command.ts';
import { FAX_PRINTER_PATH, PRINTER_PATH } from '../../../shared/printing.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, terminal } from '../terminal.ts';

const MODES = {
  off: 'off',
  this_computer: 'programs on this computer can print',
  network: 'this computer, and others with a print password',
} as const;

/** Name of the printer that takes recipients, on the computer that adds it. */
const FAX_NAME = `${FAX_PRINTER}-Fax`;

interface CreateOptions {
  readonly name?: string;
  readonly fax?: true;
  readonly network?: true;
  readonly dryRun?: true;
}

interface RemoveOptions {
  readonly name: string;
  readonly dryRun?: true;
}

export function addPrinterCommands(program: Command): void {
  const printer = program
    .command('printer')
    .description('Print to fax: add the fax printer to this computer.');
  printer
    .command('show')
    .description('Show whether the fax printer works, its address, and the documents that wait.')
    .addHelpText('after', '\nTo turn it on: faxdesk settings change PRINT_TO_FAX=this_computer')
    .action(
      action(async ({ client, answer }) => {
        const { printing } = await client();
        const state = { ...(await printing.getPrinter()), waiting: (await printing.listPrinted()).items };
        answer(state, ({ mode, name, uri, network_uri, network_name, problem, waiting }) =>
          facts([
            ['Print to fax', MODES[mode]],
            ['Name', name],
            ['Address', uri ?? '-'],
            ['Network address', network_uri ?? '-'],
            ...(network_name === null ? [] : [['Found in the network as', network_name] as const]),
            ['Problem', problem ?? 'none'],
            ['Waiting', waiting.length],
          ]),
        );
      }),
    );
  printer
    .command('create')
    .description('Add the fax printer to the printers of this computer.')
    .option(
      '--name <name>',
      `name of the printer on this computer (default: ${FAX_PRINTER}, with --fax ${FAX_NAME})`,
    )
    .option('--fax', 'the one that takes the fax number with a document: lp -o phone=<number>')
    .option('--network', 'on another computer, with your print password')
    .option('--dry-run', 'only print the command for the system')
    .action(
      action<CreateOptions>(async ({ options, client }) => {
        const { uri: local, network_uri, problem } = await (await client()).printing.getPrinter();
        const uri = options.network ? network_uri : local;
        if (uri === null)
          throw new CommandFailure(
            problem ??
              `Print to fax is off. Turn it on: faxdesk settings change PRINT_TO_FAX=${options.network ? 'network' : 'this_computer'}`,
            EXIT.conflict,
          );
        const name = printerName(options.name ?? (options.fax ? FAX_NAME : FAX_PRINTER));
        const address = options.fax ? uri.replace(PRINTER_PATH, FAX_PRINTER_PATH) : uri;
        run(addPrinterCommand(process.platform, { name, uri: address }), options);
      }),
    );
  printer
    .command('password')
    .description('Create your print password, in place of an earlier one, and show it once.')
    .option('--remove', 'remove it instead')
    .action(
      action<{ remove?: true }>(async ({ options, client, answer }) => {
        const { printing } = await client();
        if (options.remove) {
          answer(await printing.removePassword(), () => 'Removed.');
          return;
        }
        answer(await printing.createPassword(), ({ login, password }) =>
          facts([
            ['User name', login],
            ['Print password', password],
          ]),
        );
      }),
    );
  printer
    .command('remove')
    .description('Remove the fax printer from the printers of this computer.')
    .option('--name <name>', 'name of the printer on this computer', FAX_PRINTER)
    .option('--dry-run', 'only print the command for the system')
    .action(
      action<RemoveOptions>(async ({ options }) => {
        run(removePrinterCommand(process.platform, printerName(options.name)), options);
      }),
    );
}

/** Names that every system takes, and that are no option of its command. */
function printerName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u.test(name)) return name;
  throw new CommandFailure(
    '--name must be 1 to 64 letters, digits, “-” or “_”, and begin with a letter or digit.',
    EXIT.badValues,
  );
}

/** Runs a command of the system, or prints it where it is to be run by hand. */
function run(command: SystemCommand, { dryRun }: Pick<RemoveOptions, 'dryRun'>): void {
  const shown = inShell(command);
  if (dryRun) {
    terminal.print(shown);
    return;
  }
  const { status, error, stderr } = spawnSync(command.program, [...command.words], { encoding: 'utf8' });
  if (status === 0) {
    terminal.print('Done.');
    return;
  }
  const reason = error ? `${command.program} is not installed.` : stderr.trim();
  throw new CommandFailure(
    `The system did not carry it out. ${reason} Run this as an administrator:\n${shown}`,
    EXIT.failed,
  );
}
