import type { Command } from 'commander';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

export function addSigningCommands(program: Command): void {
  const signing = program.command('signing').description('Show the keys that sign evidence archives.');
  signing
    .command('keys')
    .description('List the fingerprints of the keys, newest first.')
    .action(
      action(async ({ client, answer }) =>
        answer(await (await client()).signing.listSigningKeys(), ({ keys }) =>
          table(
            ['FINGERPRINT', 'SIGNS', 'MADE AT'],
            keys.map(({ fingerprint, current, made_at }) => [
              fingerprint,
              current ? 'now' : 'no longer',
              made_at,
            ]),
          ),
        ),
      ),
    );
}
