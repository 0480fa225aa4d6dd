import { join } from 'node:path';
import type { Command } from 'commander';
import { type BootOverrides, readBoot } from '../../config/boot.ts';
import { KEY_FILES } from '../../config/secrets.ts';
import type { Gateway, RunningGateway } from '../../index.ts';
import { keepHeapSmall } from '../../platform/small-heap.ts';
import { action } from '../command.ts';
import { folderOf } from '../data-folder.ts';
import { AS_SERVICE, EXIT } from '../exit-codes.ts';
import { terminal } from '../terminal.ts';

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly acceptEmptyStore?: boolean;
  readonly acceptDataKey?: boolean;
  readonly asService?: true;
}

export function addServeCommands(program: Command): void {
  const serve = program
    .command('serve')
    .description('Run the gateway without a window until you stop it (Ctrl-C or SIGTERM).');
  const start = program
    .command('start')
    .description('Run the gateway and print its address. npm start runs this command.');
  for (const command of [serve, start])
    command
      .option('--port <n>', 'the port to listen on; 8080 if left out')
      .option('--host <address>', 'the address to listen on; 127.0.0.1 if left out')
      .option(
        '--accept-empty-store',
        'start although the database and the stored documents do not belong together; documents that the database does not list are first moved to a separate folder, and waiting faxes are held',
      )
      .option(
        '--accept-data-key',
        'continue with the current data key, or a new one, because the earlier key is lost; what was encrypted with that one cannot be opened',
      );
  serve.option(
    AS_SERVICE,
    'for the service of Windows and macOS: write the log only to the data folder, and end with 0 where starting again cannot help',
  );
  serve.action(
    action<ServeOptions>(async ({ options }) => {
      const firstSignal = listenForSignals();
      const { gateway } = await startGateway(options);
      await runUntilStopped(gateway, firstSignal);
    }),
  );
  start.action(
    action<ServeOptions>(async ({ options }) => {
      const firstSignal = listenForSignals();
      const { gateway, dataFolder } = await startGateway(options);
      terminal.note('The gateway runs here without a window. Open that address in a browser.');
      terminal.note(
        `The installation key is in ${join(dataFolder, KEY_FILES.installation)} unless API_KEY is set. Ctrl-C stops the gateway.`,
      );
      await runUntilStopped(gateway, firstSignal);
    }),
  );
}

async function startGateway(
  options: ServeOptions & { data?: string },
): Promise<{ gateway: RunningGateway; dataFolder: string }> {
  // Loaded here, because no other command runs a gateway.
  const { isKeptOutOfNetwork } = await import('../service/office-network.ts');
  const overrides: BootOverrides = {
    isNetworkOff: await isKeptOutOfNetwork(),
    hasLocalHttps: true,
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    acceptEmptyStore: options.acceptEmptyStore ?? false,
    acceptDataKey: options.acceptDataKey ?? false,
  };
  if (options.asService) {
    // Before the settings of the folder are read. Loaded here, because only a service needs it.
    const { requireServiceFolder } = await import('../service/start-check.ts');
    await requireServiceFolder(folderOf(options.data));
  }
  const { options: boot, environment } = await readBoot(overrides);
  keepHeapSmall();
  // Loaded here, because no other command needs the gateway itself.
  const { runGateway } = await import('../../index.ts');
  const logsOnlyToFiles = options.asService ?? false;
  const gateway = await runGateway({ boot, environment, logsOnlyToFiles }, reportReady);
  terminal.note(`Its data folder is ${boot.dataFolder}.`);
  return { gateway, dataFolder: boot.dataFolder };
}

function reportReady({ accepted: { documentsAside, held }, consoleUrl }: Gateway): void {
  if (documentsAside !== null)
    terminal.note(`Documents that the database does not list were moved to ${documentsAside}.`);
  if (held > 0)
    terminal.note(`Held faxes: ${held}. Release each fax that was not sent since the database was copied.`);
  terminal.print(`Faxdesk is ready at ${consoleUrl}`);
}

/** Ctrl-C reaches the process from the terminal and again from npm. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Resolves on a signal to stop, also during the start, which is not broken off: writes in progress are completed. On a
 * later signal the process ends at once.
 */
function listenForSignals(): Promise<void> {
  return new Promise((resolve) => {
    let firstSignal: number | null = null;
    const onSignal = () => {
      firstSignal ??= performance.now();
      if (performance.now() - firstSignal > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
}

/** Waits for a signal, then stops cleanly. What a library still holds must not keep the process after that. */
async function runUntilStopped(gateway: RunningGateway, firstSignal: Promise<void>): Promise<void> {
  await Promise.race([firstSignal, gateway.failed]);
  await gateway.stop();
  process.exit(EXIT.done);
}
