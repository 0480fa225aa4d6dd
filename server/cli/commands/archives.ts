import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { archivesRoutes } from '../../../shared/api/archives.ts';
import type { ArchivedFax, OpenedArchive } from '../../features/archives/offline.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table, terminal } from '../terminal.ts';
import { addArchiveRemoval } from './archive-removal.ts';

const FINGERPRINT = [
  '--fingerprint <hex>',
  'fingerprint of the office’s signing key, as you got it from the office',
] as const;

export function addArchiveCommands(program: Command): void {
  const archive = program
    .command('archives')
    .description(
      'Save the faxes of a past year in one signed file, read such a file again, and remove its faxes.',
    );
  addCreate(archive);
  addReading(archive);
  addArchiveRemoval(archive);
}

interface CreateOptions {
  readonly year: string;
  readonly month?: string;
  readonly output: string;
  readonly overwrite?: true;
}

function addCreate(archive: Command): void {
  archive
    .command('create')
    .description('Save the finished faxes of a past year with everything about them, and check the file.')
    .requiredOption('--year <year>', 'a year that is over, e.g. 2023')
    .requiredOption('--output <zip>', 'where to save it')
    .option('--month <month>', 'only this month of it, 1 to 12')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .addHelpText(
      'after',
      '\nNothing is deleted. The documents in the file are not encrypted: keep it as safe as a backup.',
    )
    .action(
      action<CreateOptions>(async ({ options, client, answer }) => {
        const { year, month, output: name } = options;
        const path = resolve(name);
        if (existsSync(path) && !options.overwrite)
          throw new CommandFailure(`${name} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const rooms = await client();
        const pieces = rooms.stream(archivesRoutes.exportArchive, {
          params: { year: numberOf('year', year) },
          query: month === undefined ? {} : { month: numberOf('month', month) },
        });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${name}.`);
        await withArchive(path, undefined, async (opened) => answer(await checked(opened), describe));
      }),
    );
}

function numberOf(name: string, text: string): number {
  if (/^\d{1,4}$/u.test(text)) return Number(text);
  throw new CommandFailure(`"${text}" is not a ${name}.`, EXIT.badValues);
}

function addReading(archive: Command): void {
  archive
    .command('verify')
    .description('Check every byte of an archive, on any computer and without a gateway.')
    .argument('<file>', 'the archive')
    .option(...FINGERPRINT)
    .action(
      action<{ fingerprint?: string }>(async ({ options, answer }, path = '') => {
        await withArchive(path, options.fingerprint, async (opened) =>
          answer(await checked(opened), describe),
        );
      }),
    );
  archive
    .command('list')
    .description('List the faxes of an archive, without a gateway.')
    .argument('<file>', 'the archive')
    .option('--search <text>', 'part of a number, name, file name, subject, reference or id')
    .option(...FINGERPRINT)
    .action(
      action<{ search?: string; fingerprint?: string }>(async ({ options, answer }, path = '') => {
        await withArchive(path, options.fingerprint, async (opened) => {
          const found: ArchivedFax[] = [];
          for await (const fax of opened.faxes()) if (matches(fax, options.search)) found.push(fax);
          answer(found, (faxes) =>
            table(
              ['ID', 'DIRECTION', 'AT', 'NUMBER', 'DOCUMENT'],
              faxes.map((fax) => [
                fax.id,
                fax.direction,
                fax.at,
                fax.number,
                fax.document === null ? 'none' : 'yes',
              ]),
            ),
          );
        });
      }),
    );
  addFax(archive);
}

interface FaxOptions {
  readonly output?: string;
  readonly fingerprint?: string;
}

function addFax(archive: Command): void {
  archive
    .command('show')
    .description('Show a fax of an archive with its history, or save its document.')
    .argument('<file>', 'the archive')
    .argument('<id>')
    .option('--output <pdf>', 'where to save its document')
    .option(...FINGERPRINT)
    .action(
      action<FaxOptions>(async ({ options, answer }, path = '', id = '') => {
        await withArchive(path, options.fingerprint, async (opened) => {
          const fax = await findFax(opened, id);
          if (options.output !== undefined) {
            await writeFile(options.output, await opened.document(fax), { mode: 0o600 });
            terminal.note(`Saved as ${options.output}.`);
          }
          answer(fax, describeArchived);
        });
      }),
    );
}

async function findFax(opened: OpenedArchive, id: string): Promise<ArchivedFax> {
  for await (const fax of opened.faxes()) if (fax.id === id) return fax;
  throw new CommandFailure('There is no such fax in the archive.', EXIT.notFound);
}

/** Opens an archive for one command. An altered one is a failure with its sentence. */
async function withArchive(
  path: string,
  fingerprint: string | undefined,
  use: (opened: OpenedArchive) => Promise<void>,
): Promise<void> {
  const { ArchiveError, openArchive } = await import('../../features/archives/offline.ts');
  try {
    const opened = await openArchive(path, fingerprint);
    try {
      await use(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw new CommandFailure(error.message);
    throw error;
  }
}

async function checked(opened: OpenedArchive) {
  const documents = await opened.verify();
  return { ...opened.manifest, documents, fingerprint: opened.fingerprint };
}

function describe(archive: Awaited<ReturnType<typeof checked>>): string {
  const { year, month, sent, received, left_out, documents, created_at, created_by, fingerprint } = archive;
  return [
    'The archive is complete and unchanged.',
    facts([
      ['Time', month === null ? String(year) : `${year}-${String(month).padStart(2, '0')}`],
      ['Sent faxes', sent],
      ['Received faxes', received],
      ['Documents', documents],
      ['Security audit', `${archive.audit_entries} entries`],
      ['Without a document', archive.without_document],
      ['Left out, not finished', left_out],
      ...(archive.altered_documents === 0
        ? []
        : [['Altered before', `${archive.altered_documents} documents were not as recorded`] as const]),
      ['Made', `${created_at} by ${created_by}`],
      ['Signed with', fingerprint],
    ]),
  ].join('\n');
}

/** True where any text of the fax contains the words. */
function matches({ fax, id, number }: ArchivedFax, search: string | undefined): boolean {
  if (search === undefined) return true;
  const wanted = search.trim().toLowerCase();
  return [id, number, JSON.stringify(fax)].some((text) => text.toLowerCase().includes(wanted));
}

function describeArchived({ id, direction, at, number, document, history, work }: ArchivedFax): string {
  const rows = [...history, ...(work?.history ?? [])].map((entry) => [
    textOf(entry, 'occurred_at'),
    textOf(entry, 'actor'),
    textOf(entry, 'text'),
  ]);
  return [
    facts([
      ['Fax', id],
      ['Direction', direction],
      ['At', at],
      [direction === 'sent' ? 'To' : 'From', number],
      ['Document SHA-256', document?.sha256 ?? null],
    ]),
    table(['AT', 'BY', 'SENTENCE'], rows),
  ].join('\n');
}

function textOf(entry: Readonly<Record<string, unknown>>, name: string): string {
  const value = entry[name];
  return typeof value === 'string' ? value : '';
}
