import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { facts, table } from '../terminal.ts';

/** Adds the commands about the numbers that want no faxes. */
export function addOptOutCommands(contacts: Command): void {
  const optOuts = contacts.command('opt-outs').description('Manage the numbers that want no faxes.');
  addList(optOuts);
  addChanges(optOuts);
  addImport(optOuts);
}

function addList(optOuts: Command): void {
  const list = optOuts
    .command('list')
    .description('List the numbers that want no faxes, with those of contacts that opted out.')
    .option('--search <number>', 'part of the number');
  addPagingOptions(list).action(
    action<PageOptions & { search?: string }>(async ({ options, client, answer }) => {
      const { search: q, limit, cursor } = options;
      answer(await (await client()).contacts.listOptOuts({ query: { q, limit, cursor } }), (page) => {
        const rows = page.items.map((each) => [
          each.fax_number,
          each.contact?.name ?? null,
          each.added_at,
          each.source === 'contact' ? 'the contact' : each.added_by,
          each.note,
        ]);
        return appendNextPage(table(['FAX NUMBER', 'CONTACT', 'SINCE', 'ADDED BY', 'NOTE'], rows), page);
      });
    }),
  );
}

function addChanges(optOuts: Command): void {
  optOuts
    .command('create')
    .description('Add a number that wants no faxes.')
    .argument('<number>')
    .option('--note <text>', 'how and when they opted out')
    .action(
      action<{ note?: string }>(async ({ options, client, answer }, fax_number = '') => {
        const body = { fax_number, ...options };
        answer(await (await client()).contacts.addOptOut({ body }), (entry) =>
          facts([
            ['On the opt-out list', entry.fax_number],
            ['Since', entry.added_at],
            ['Added by', entry.added_by],
            ['Note', entry.note],
          ]),
        );
      }),
    );
  optOuts
    .command('remove')
    .description('Take a number off the opt-out list, because its holder wants faxes again.')
    .argument('<number>')
    .action(
      action(async ({ client, answer }, number = '') => {
        answer(await (await client()).contacts.removeOptOut({ params: { number } }), (done) =>
          done.was_listed
            ? `Took ${done.fax_number} off the opt-out list.`
            : `${done.fax_number} was not on the opt-out list.`,
        );
      }),
    );
}

function addImport(optOuts: Command): void {
  optOuts
    .command('import')
    .description('Add the numbers of a CSV or text file. Lines without a valid number are listed.')
    .argument('<file>')
    .option('--note <text>', 'how and when they opted out')
    .option('--check', 'show what would happen and change nothing')
    .action(
      action<{ note?: string; check?: true }>(async ({ options, client, answer }, file = '') => {
        const content = await openAsBlob(file).catch(() => {
          throw new CommandFailure(`The file ${file} cannot be read.`, EXIT.badValues);
        });
        const { note, check } = options;
        const fields = { check_only: String(check ?? false), ...(note === undefined ? {} : { note }) };
        const files = { file: [{ name: basename(file), content }] };
        answer(await (await client()).contacts.importOptOuts({ fields, files }), (result) => {
          const counts = facts([
            [result.checked_only ? 'Would be added' : 'Added', result.added],
            ['Unchanged', result.unchanged],
            ['Skipped', result.left_out],
          ]);
          const rows = result.problems.map(({ line, sentence }) => [line, sentence]);
          return rows.length === 0 ? counts : `${counts}\n\n${table(['LINE', 'WHY IT WAS LEFT OUT'], rows)}`;
        });
      }),
    );
}
