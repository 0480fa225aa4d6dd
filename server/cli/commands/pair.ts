import type { Command } from 'commander';
import { action } from '../command.ts';
import { facts } from '../terminal.ts';

export function addPair(program: Command): void {
  program
    .command('pair')
    .description('Create a code that pairs one mobile device. It is valid for five minutes.')
    .option('--name <name>', 'name of the device; if left out, the device provides one')
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
