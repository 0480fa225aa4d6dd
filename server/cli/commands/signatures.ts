import type { Command } from 'commander';
import type { PictureKind } from '../../../shared/page-edits.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { openFiles } from '../open-files.ts';
import { table } from '../terminal.ts';

export function addSignaturesCommands(program: Command): void {
  const signatures = program
    .command('signatures')
    .description('Manage your own signatures and stamps for the pages of faxes.');
  signatures
    .command('list')
    .description('List your signatures and stamps with the IDs that page edits name.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).desk.listSignatures(), ({ items }) =>
          table(
            ['ID', 'KIND', 'NAME'],
            items.map(({ id, kind, name }) => [id, kind, name]),
          ),
        );
      }),
    );
  signatures
    .command('create')
    .description('Add a signature or stamp: dark ink on white paper, as a PNG or JPEG.')
    .argument('<file>', 'picture')
    .requiredOption('--name <text>', 'name by which you find it')
    .option('--kind <kind>', 'signature or stamp', 'signature')
    .action(
      action<{ name: string; kind: string }>(async ({ options, client, answer }, path = '') => {
        const { name, kind } = options;
        if (!isKind(kind)) throw new CommandFailure('--kind must be signature or stamp.', EXIT.badValues);
        const files = { file: await openFiles([path]) };
        const added = await (await client()).desk.addSignature({ fields: { name, kind }, files });
        answer(added, ({ id }) => `Added: ${id}`);
      }),
    );
  signatures
    .command('remove')
    .description('Remove a signature or stamp. Faxes that have it keep it.')
    .argument('<id>', 'ID of the signature or stamp')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).desk.removeSignature({ params: { id } }), () => 'Removed.');
      }),
    );
}

const isKind = (kind: string): kind is PictureKind => kind === 'signature' || kind === 'stamp';
