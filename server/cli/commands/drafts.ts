import type { Command } from 'commander';
import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import type { Client } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table } from '../terminal.ts';

type Draft = z.infer<typeof deskRoutes.listDrafts.answer.schema>['items'][number];

const DRAFT = 'id, or name where no other draft has it';

export function addDraftsCommands(program: Command): void {
  const drafts = program.command('drafts').description('Manage your own saved drafts and templates.');
  drafts
    .command('list')
    .description('List your saved drafts and templates, newest first.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).desk.listDrafts(), ({ items }) =>
          table(
            ['ID', 'KIND', 'DOCUMENTS', 'BYTES', 'SAVED', 'NAME'],
            items.map((one) => [one.id, kindOf(one), one.documents, one.size_bytes, one.saved_at, one.name]),
          ),
        );
      }),
    );
  drafts
    .command('show')
    .description('Show a saved draft and the fingerprints of its documents.')
    .argument('<draft>', DRAFT)
    .action(
      action(async ({ client, answer }, name = '') => {
        const rooms = await client();
        const { id } = await findDraft(rooms, name);
        answer(await rooms.desk.getDraft({ params: { id } }), (draft) => {
          const overview = facts([
            ['Draft', draft.id],
            ['Name', draft.name],
            ['Kind', kindOf(draft)],
            ['Saved', draft.saved_at],
          ]);
          if (draft.files.length === 0) return overview;
          const rows = draft.files.map(({ number, size_bytes, sha256 }) => [number, size_bytes, sha256]);
          return `${overview}\n\n${table(['DOCUMENT', 'BYTES', 'SHA-256'], rows)}`;
        });
      }),
    );
  drafts
    .command('change')
    .description('Rename a saved draft.')
    .argument('<draft>', DRAFT)
    .requiredOption('--name <name>', 'new name')
    .action(
      action<{ name: string }>(async ({ options, client, answer }, draft = '') => {
        const { name } = options;
        const rooms = await client();
        const { id } = await findDraft(rooms, draft);
        answer(await rooms.desk.renameDraft({ params: { id }, body: { name } }), () => 'Renamed.');
      }),
    );
  drafts
    .command('remove')
    .description('Remove a saved draft or template with its documents.')
    .argument('<draft>', DRAFT)
    .action(
      action(async ({ client, answer }, name = '') => {
        const rooms = await client();
        const { id } = await findDraft(rooms, name);
        answer(await rooms.desk.removeDraft({ params: { id } }), () => 'Removed.');
      }),
    );
}

async function findDraft({ desk }: Client, wanted: string): Promise<Draft> {
  const { items } = await desk.listDrafts();
  const known = items.find(({ id }) => id === wanted);
  if (known) return known;
  const [found, ...others] = items.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (!found) throw new CommandFailure(`You have no saved draft “${wanted}”.`, EXIT.notFound);
  if (others.length > 0)
    throw new CommandFailure(`Several drafts have the name “${wanted}”. Use the id.`, EXIT.conflict);
  return found;
}

const kindOf = ({ template }: Pick<Draft, 'template'>): string => (template ? 'template' : 'draft');
