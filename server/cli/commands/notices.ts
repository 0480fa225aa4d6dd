import type { Command } from 'commander';
import type { z } from 'zod';
import type { Notices } from '../../../shared/api/notices.ts';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

export function addNoticesCommands(program: Command): void {
  program
    .command('notices')
    .description('List deprecated parts of the API that are still used, and ignored settings.')
    .addHelpText('after', '\nExample:\n  faxdesk notices')
    .action(
      action(async ({ client, answer }) => {
        const gateway = await client();
        answer(await gateway.notices.list(), describeNotices);
      }),
    );
}

function describeNotices({ deprecated, ignored_settings }: z.infer<typeof Notices>): string {
  const parts = deprecated.map(({ what, instead, sunset, used_by }) =>
    [
      `${what}. It may be removed from ${sunset.slice(0, 10)} on. ${instead}`,
      table(
        ['USED BY', 'LAST', 'FIRST'],
        used_by.map(({ name, last_at, first_at }) => [name, last_at, first_at]),
      ),
    ].join('\n'),
  );
  if (ignored_settings.length > 0)
    parts.push(`Ignored settings of removed parts: ${ignored_settings.join(', ')}.`);
  return parts.length === 0 ? 'Nothing deprecated is used.' : parts.join('\n\n');
}
