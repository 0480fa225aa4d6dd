import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { workExportRoutes } from '../../../shared/api/work-export.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { assertIntact, evidenceWords } from '../evidence-words.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { terminal } from '../terminal.ts';

interface ExportOptions {
  readonly output: string;
  readonly overwrite?: true;
}

export function addWorkExport(work: Command): void {
  work
    .command('export')
    .description('Save the evidence archive of a work item, and check it.')
    .argument('<id>')
    .requiredOption('--output <zip>', 'where to save it')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if the gateway found altered data during the export; the archive lists it.',
    )
    .action(
      action<ExportOptions>(async ({ options, client, answer }, id = '') => {
        const path = resolve(options.output);
        if (existsSync(path) && !options.overwrite)
          throw new CommandFailure(
            `${options.output} already exists. Use --overwrite to replace it.`,
            EXIT.conflict,
          );
        const rooms = await client();
        const pieces = rooms.stream(workExportRoutes.exportWork, { params: { id } });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${options.output}.`);
        const { verifyEvidence } = await import('../../features/work/offline.ts');
        const found = await verifyEvidence(path);
        assertIntact(found);
        answer(found, (check) => evidenceWords(check, false));
      }),
    );
}
