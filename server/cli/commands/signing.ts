import type { Command } from 'commander';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

export function addSigningCommands(program: Command): void {
  const signing = program
    .command('signing')
    .description('The key with which the installation signs evidence archives.');
  signing
    .command('keys')
    .description('The fingerprints of the keys, the newest first.')
    .action(
      action(async ({ client, answer }) =>
        answer(await (await client()).signing.listSigningKeys(), ({ keys }) =>
          table(
            ['FINGERPRINT', 'SIGNS', 'MADE AT'],
            keys.map(({ fingerprint, current, made_at }) => [
              fingerprint,
              current ? 'now' : 'no more',
              made_at,
            ]),
          ),
        ),
      ),
    );
}
