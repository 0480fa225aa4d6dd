import { existsSync, openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { type ContactImport, contactsRoutes } from '../../../shared/api/contacts.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table, terminal } from '../terminal.ts';

/** Contacts that come from, and go to, a CSV file. */
export function addContactFiles(contacts: Command): void {
  addImport(contacts);
  addExport(contacts);
}

function addImport(contacts: Command): void {
  contacts
    .command('import')
    .description('Import contacts from a CSV file. Lines that cannot be imported are skipped and listed.')
    .argument('<csv>')
    .option('--update', 'update contacts whose number is in the file; otherwise they stay the same')
    .option('--check', 'show what would happen and change nothing')
    .addHelpText(
      'after',
      `
The first line names the columns: name (or first and last name), organization or company, fax number, note, blocked, send
together (minutes). Address books exported from Outlook, Google and faxdesk contacts export work without changes.`,
    )
    .action(
      action<{ update?: true; check?: true }>(async ({ options, client, answer }, csv = '') => {
        const content = await openAsBlob(csv).catch(() => {
          throw new CommandFailure(`The file ${csv} cannot be read.`, EXIT.badValues);
        });
        const result = await (await client()).contacts.importContacts({
          fields: {
            existing: options.update ? 'update' : 'keep',
            check_only: String(options.check ?? false),
          },
          files: { file: [{ name: basename(csv), content }] },
        });
        answer(result, describe);
      }),
    );
}

function addExport(contacts: Command): void {
  contacts
    .command('export')
    .description('Save all contacts as CSV, safe to open in a spreadsheet.')
    .argument('<csv>')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .action(
      action<{ overwrite?: true }>(async ({ options, client }, csv = '') => {
        const path = resolve(csv);
        if (existsSync(path) && !options.overwrite)
          throw new CommandFailure(`${csv} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const pieces = (await client()).stream(contactsRoutes.exportContacts, {});
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${csv}.`);
      }),
    );
}

function describe({
  added,
  changed,
  unchanged,
  left_out,
  problems,
  checked_only,
}: z.infer<typeof ContactImport>): string {
  const counts = facts([
    [checked_only ? 'Would be added' : 'Added', added],
    [checked_only ? 'Would be changed' : 'Changed', changed],
    ['Unchanged', unchanged],
    ['Skipped', left_out],
  ]);
  if (problems.length === 0) return counts;
  const rows = problems.map(({ line, sentence }) => [line, sentence]);
  const more = left_out > problems.length ? `\nand ${left_out - problems.length} more` : '';
  return `${counts}\n\n${table(['LINE', 'WHY IT WAS LEFT OUT'], rows)}${more}`;
}
