import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import type { ImportResult } from '../../../shared/api/imports.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts } from '../terminal.ts';

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Import a PDF that another system received.')
    .argument('<pdf>')
    .requiredOption(
      '--manifest <json or file>',
      'facts about the document: JSON text, or a file that contains it',
    )
    .addHelpText(
      'after',
      `
The manifest has the name of the system, the ID of the document there, and other facts:
  {"source_system": "Lab bridge", "operation_id": "A-1042", "to_number": "+12025550100"}
Importing the same document again changes nothing, so you can repeat an interrupted command. Another document with the same
operation ID and revision is refused with exit code 6.

Examples:
  faxdesk import result.pdf --manifest result.json
  faxdesk import result.pdf --manifest '{"source_system": "Lab bridge", "operation_id": "A-1042"}'`,
    )
    .action(
      action<{ manifest: string }>(async ({ options, client, answer }, pdf = '') => {
        const manifest = await manifestOf(options.manifest);
        const file = [{ name: basename(pdf), content: await openPdf(pdf) }];
        const result = await (await client()).imports.importDocument({
          fields: { manifest },
          files: { file },
        });
        answer(result, describeImport);
      }),
    );
}

function describeImport({ import_id, inbound_id, status }: z.infer<typeof ImportResult>): string {
  return facts([
    ['Import', import_id],
    ['Fax', inbound_id],
    ['Status', status === 'received' ? 'received' : 'duplicate: already imported; nothing changed'],
  ]);
}

/** A JSON object itself, else the file that holds it. */
async function manifestOf(given: string): Promise<string> {
  if (given.trimStart().startsWith('{')) return given;
  return withReadErrors(given, readFile(given, 'utf8'));
}

const openPdf = (path: string) => withReadErrors(path, openAsBlob(path));

async function withReadErrors<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch(() => {
    throw new CommandFailure(`The file ${path} cannot be read.`, EXIT.badValues);
  });
}
