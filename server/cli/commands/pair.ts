import type { Command } from 'commander';
import { action } from '../command.ts';
import { facts } from '../terminal.ts';

export function addPair(program: Command): void {
  program
    .command('pair')
    .description('Make a code that pairs one mobile device within five minutes.')
    .option('--name <name>', 'what the device is called; it may say so itself when left out')
    .action(
      action<{ name?: string }>(async ({ options, client, answer }) => {
        const body = { device_name: options.name };
        answer(await (await client()).pairing.createPairingCode({ body }), ({ code, expires_at }) =>
          facts([
            ['Code', `${code.slice(0, 3)} ${code.slice(3)}`],
            ['Until', expires_at],
          ]),
        );
      }),
    );
}
