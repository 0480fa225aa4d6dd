import { join } from 'node:path';
import type { Command } from 'commander';
import { type BootOverrides, readBoot } from '../../config/boot.ts';
import { KEY_FILES } from '../../config/secrets.ts';
import type { Gateway } from '../../index.ts';
import { action } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { terminal } from '../terminal.ts';

interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
}

export function addServeCommands(program: Command): void {
  const serve = program
    .command('serve')
    .description('Run the gateway without a window until it is told to stop (SIGTERM or Ctrl-C).');
  const start = program
    .command('start')
    .description('What npm start runs: the gateway, and a note on where to find things.');
  for (const command of [serve, start])
    command
      .option('--port <n>', 'where to listen, default 8080')
      .option('--host <address>', 'on which address, default 127.0.0.1');
  serve.action(
    action<ServeOptions>(async ({ options }) => {
      const told = listenForSignals();
      await stay(await open(options), told);
    }),
  );
  start.action(
    action<ServeOptions>(async ({ options }) => {
      const told = listenForSignals();
      const gateway = await open(options);
      terminal.note('The gateway runs here without a window; open that address in a browser.');
      terminal.note(
        `The installation key is in ${join(gateway.dataFolder, KEY_FILES.installation)} unless API_KEY is set. Ctrl-C stops the gateway.`,
      );
      await stay(gateway, told);
    }),
  );
}

async function open(options: ServeOptions & { data?: string }): Promise<Gateway & { dataFolder: string }> {
  const overrides: BootOverrides = {
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
  };
  const { options: boot, environment } = await readBoot(overrides);
  // Loaded here, because no other command needs the gateway itself.
  const { startGateway } = await import('../../index.ts');
  const gateway = await startGateway({ boot, environment });
  terminal.print(`Faxdesk is ready at ${gateway.consoleUrl}`);
  return { ...gateway, dataFolder: boot.dataFolder };
}

/** Ctrl-C reaches the process from the terminal and again from npm. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Resolves when the process is told to stop, also in the middle of its start, which is not broken off: what it has begun
 * to write it writes to the end. Told again later, the process ends at once.
 */
function listenForSignals(): Promise<void> {
  return new Promise((resolve) => {
    let told: number | null = null;
    const hear = () => {
      told ??= performance.now();
      if (performance.now() - told > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, hear);
  });
}

/** Waits for a signal, then stops cleanly. What a library still holds must not keep the process after that. */
async function stay(gateway: Gateway, told: Promise<void>): Promise<void> {
  await told;
  await gateway.stop();
  process.exit(EXIT.done);
}
