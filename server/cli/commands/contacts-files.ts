import { existsSync, openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { contactsRoutes } from '../../../shared/api/contacts.ts';
import {
  CONTACT_FORMATS,
  type ContactFormat,
  type ContactImport,
} from '../../../shared/api/contacts-import.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table, terminal } from '../terminal.ts';

/** Contacts that come from, and go to, a CSV file or vCards. */
export function addContactFiles(contacts: Command): void {
  addImport(contacts);
  addExport(contacts);
}

function addImport(contacts: Command): void {
  contacts
    .command('import')
    .description(
      'Import contacts from a CSV file or vCards. Entries that cannot be imported are skipped and listed.',
    )
    .argument('<file>')
    .option('--update', 'update contacts whose number is in the file; otherwise they stay the same')
    .option('--check', 'show what would happen and change nothing')
    .addHelpText(
      'after',
      `
The first line of a CSV file names the columns, such as name, organization, fax number, phone, address, tags and note. Address books
exported from Outlook, Google, Apple, Thunderbird and faxdesk contacts export work without changes. Entries with the same
fax number are merged. An import takes away no number, no tag and no opt-out; an empty value changes nothing.`,
    )
    .action(
      action<{ update?: true; check?: true }>(async ({ options, client, answer }, file = '') => {
        const content = await openAsBlob(file).catch(() => {
          throw new CommandFailure(`The file ${file} cannot be read.`, EXIT.badValues);
        });
        const result = await (await client()).contacts.importContacts({
          fields: {
            existing: options.update ? 'update' : 'keep',
            check_only: String(options.check ?? false),
          },
          files: { file: [{ name: basename(file), content }] },
        });
        answer(result, describe);
      }),
    );
}

function addExport(contacts: Command): void {
  contacts
    .command('export')
    .description('Save all contacts as CSV, safe to open in a spreadsheet, or as vCards for address books.')
    .requiredOption('--output <file>', 'where to save them; named .vcf for vCards')
    .addOption(
      choiceOption('--format <format>', CONTACT_FORMATS, '; from the name of the file if it is left out'),
    )
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .action(
      action<{ output: string; overwrite?: true; format?: ContactFormat }>(async ({ options, client }) => {
        const { output: file } = options;
        const path = resolve(file);
        if (existsSync(path) && !options.overwrite)
          throw new CommandFailure(`${file} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const format = options.format ?? (/\.vcf$/iu.test(file) ? 'vcard4' : 'csv');
        const pieces = (await client()).stream(contactsRoutes.exportContacts, { query: { format } });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${file}.`);
      }),
    );
}

function describe(result: z.infer<typeof ContactImport>): string {
  const { added, changed, unchanged, merged, left_out, problems, remarks, changes, checked_only } = result;
  const counts = facts([
    [checked_only ? 'Would be added' : 'Added', added],
    [checked_only ? 'Would be changed' : 'Changed', changed],
    ['Unchanged', unchanged],
    ['Merged', merged],
    ['Skipped', left_out],
  ]);
  const changeRows = changes.map(({ line, kind, name, fax_number, fields }) => [
    line,
    kind,
    name,
    fax_number,
    fields.join(', '),
  ]);
  const more = added + changed > changes.length ? `\nand ${added + changed - changes.length} more` : '';
  const parts = [
    checked_only && changes.length > 0
      ? `${table(['LINE', 'CONTACT', 'NAME', 'FAX NUMBER', 'CHANGES'], changeRows)}${more}`
      : '',
    remarks.length > 0 ? table(['LINE', 'REMARK'], rowsOf(remarks)) : '',
    problems.length > 0 ? table(['LINE', 'WHY IT WAS LEFT OUT'], rowsOf(problems)) : '',
  ];
  return [counts, ...parts.filter((part) => part !== '')].join('\n\n');
}

function rowsOf(lines: readonly { line: number; sentence: string }[]): (string | number)[][] {
  return lines.map(({ line, sentence }) => [line, sentence]);
}
