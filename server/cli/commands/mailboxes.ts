import type { Command } from 'commander';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { findMailbox, type Mailbox } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { enabledOrNot } from '../people-words.ts';
import { facts, table } from '../terminal.ts';

export function addMailboxesCommands(program: Command): void {
  const mailboxes = program.command('mailboxes').description('Manage the mailboxes for received faxes.');
  addList(mailboxes);
  addCreate(mailboxes);
  addChange(mailboxes);
}

function addList(mailboxes: Command): void {
  const list = mailboxes.command('list').description('List mailboxes, by label.');
  addPagingOptions(list).action(
    action<PageOptions>(async ({ options: { limit, cursor }, client, answer }) => {
      answer(await (await client()).mailboxes.listMailboxes({ query: { limit, cursor } }), (page) => {
        const rows = page.items.map((mailbox) => [
          mailbox.id,
          mailbox.label,
          enabledOrNot(mailbox),
          mailbox.numbers.join(' '),
        ]);
        return appendNextPage(table(['ID', 'LABEL', 'STATE', 'NUMBERS'], rows), page);
      });
    }),
  );
}

interface Fields {
  readonly label?: string;
  readonly enabled?: boolean;
}

function addCreate(mailboxes: Command): void {
  mailboxes
    .command('create')
    .description('Create a mailbox. Use rules create to choose which faxes are filed in it.')
    .requiredOption('--label <label>', 'the name')
    .addOption(booleanOption('--enabled', 'no creates a mailbox without filing faxes in it yet'))
    .action(
      action<Fields & { label: string }>(async ({ options, client, answer }) => {
        const { access, mailboxes: room } = await client();
        const { label, enabled } = options;
        const { policy_version: expected_policy_version } = await access.me();
        const body = { label, enabled, expected_policy_version };
        answer(await room.createMailbox({ body }), ({ mailbox }) => describe(mailbox));
      }),
    );
}

function addChange(mailboxes: Command): void {
  mailboxes
    .command('change')
    .description('Rename, enable or disable a mailbox. The faxes in it stay.')
    .argument('<mailbox>', 'id or label')
    .option('--label <label>', 'the name')
    .addOption(booleanOption('--enabled', 'whether faxes are filed in it'))
    .action(
      action<Fields>(async ({ options, client, answer }, given = '') => {
        const { label, enabled } = options;
        const fields = requireChange({ label, enabled });
        const rooms = await client();
        const { item, versions } = await findMailbox(rooms, given);
        const body = { ...fields, ...versions };
        answer(await rooms.mailboxes.changeMailbox({ params: { id: item.id }, body }), ({ mailbox }) =>
          describe(mailbox),
        );
      }),
    );
}

function describe(mailbox: Mailbox): string {
  return facts([
    ['Id', mailbox.id],
    ['Label', mailbox.label],
    ['State', enabledOrNot(mailbox)],
    ['Numbers', mailbox.numbers.join(' ') || 'none'],
  ]);
}
