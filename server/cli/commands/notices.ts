import type { Command } from 'commander';
import type { z } from 'zod';
import type { Notices } from '../../../shared/api/notices.ts';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

export function addNoticesCommands(program: Command): void {
  program
    .command('notices')
    .description(
      'List deprecated parts of the API that are still used, number checks of partners that end soon, and ignored settings.',
    )
    .addHelpText('after', '\nExample:\n  faxdesk notices')
    .action(
      action(async ({ client, answer }) => {
        const gateway = await client();
        answer(await gateway.notices.list(), describeNotices);
      }),
    );
}

function describeNotices({ deprecated, number_checks, ignored_settings }: z.infer<typeof Notices>): string {
  const parts = deprecated.map(({ what, instead, sunset, used_by }) =>
    [
      `${what}. It may be removed from ${sunset.slice(0, 10)} on. ${instead}`,
      table(
        ['USED BY', 'LAST', 'FIRST'],
        used_by.map(({ name, last_at, first_at }) => [name, last_at, first_at]),
      ),
    ].join('\n'),
  );
  if (number_checks.length > 0)
    parts.push(
      [
        'Faxes to these partners go by phone from the time on at which the check of the number ends. Fax a new code: faxdesk direct partners challenge <id>',
        table(
          ['PARTNER', 'NUMBER', 'ENDS', 'ID'],
          number_checks.map((check) => [
            check.organization,
            check.fax_number,
            check.expires_at,
            check.partner_id,
          ]),
        ),
      ].join('\n'),
    );
  if (ignored_settings.length > 0)
    parts.push(`Ignored settings of removed parts: ${ignored_settings.join(', ')}.`);
  return parts.length === 0
    ? 'Nothing deprecated is used, and no number check ends soon.'
    : parts.join('\n\n');
}
