import type { Command } from 'commander';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table } from '../terminal.ts';

export function addSummaryCommands(program: Command): void {
  const summary = program.command('summary').description('Show or send the daily summary.');
  summary
    .command('show')
    .description('Show the figures of the last full day and the results of the summaries that were sent.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).summary.readSummary(), ({ day, figures, sent }) => {
          const { costs, ...counts } = figures;
          const amounts = costs.amounts.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');
          const overview = facts([
            ['Day', day],
            ['Received', `${counts.received} (${counts.late} not acknowledged in time)`],
            ['Received with pages that may be missing', String(counts.incomplete)],
            ...(counts.direct === 0
              ? []
              : [['Received directly from partners, not counted above', String(counts.direct)] as const]),
            ...(counts.junk === 0 ? [] : [['In Junk, not counted above', String(counts.junk)] as const]),
            ['Overdue now', String(counts.overdue_now)],
            ['Failed to send', String(counts.failed)],
            ['To be confirmed now', String(counts.to_confirm_now)],
            ['E-mails to check now', String(counts.mails_to_check_now)],
            ['Printouts to check now', String(counts.printouts_to_check_now)],
            ['Costs', `${amounts || 'none'} (${costs.unknown} of unknown cost)`],
          ]);
          if (sent.length === 0) return overview;
          const rows = sent.map((row) => [row.day, row.state, row.retry_at, row.sentence]);
          return `${overview}\n\n${table(['DAY', 'STATE', 'AGAIN AT', 'WHY'], rows)}`;
        });
      }),
    );
  summary
    .command('send')
    .description('Send the summary of the last full day now, for example to test it.')
    .action(
      action(async ({ client, answer }) => {
        const result = await (await client()).summary.sendSummary();
        answer(result, ({ detail }) => detail);
        if (!result.ok) throw new CommandFailure('The summary was not sent to everyone.', EXIT.failed);
      }),
    );
}
