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
  serve.action(action<ServeOptions>(async ({ options }) => stay(await open(options))));
  start.action(
    action<ServeOptions>(async ({ options }) => {
      const gateway = await open(options);
      terminal.note('The gateway runs here without a window; open that address in a browser.');
      terminal.note(
        `The installation key is in ${join(gateway.dataFolder, KEY_FILES.installation)} unless API_KEY is set. Ctrl-C stops the gateway.`,
      );
      await stay(gateway);
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

/** Waits for a signal, then stops cleanly. What a library still holds must not keep the process after that. */
async function stay(gateway: Gateway): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await gateway.stop();
  process.exit(EXIT.done);
}
