import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { outboundRoutes } from '../../../shared/api/outbound.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { terminal } from '../terminal.ts';

interface ReportsOptions {
  readonly date: string;
  readonly output: string;
  readonly overwrite?: true;
}

/** Adds `faxdesk jobs reports`. */
export function addDayReports(jobs: Command): void {
  jobs
    .command('reports')
    .description(
      'Save the signed transmission reports of the faxes that were accepted on a day, with a list of them.',
    )
    .requiredOption('--date <day>', 'the day by the clocks of the office, e.g. 2026-11-23')
    .requiredOption('--output <zip>', 'where to save them')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .action(
      action<ReportsOptions>(async ({ options, client }) => {
        const { date, output } = options;
        const path = resolve(output);
        if (existsSync(path) && !options.overwrite)
          throw new CommandFailure(`${output} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const rooms = await client();
        const pieces = rooms.stream(outboundRoutes.dayReports, { query: { date } });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${output}.`);
      }),
    );
}
