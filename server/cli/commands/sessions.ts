import type { Command } from 'commander';
import { action } from '../command.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { table } from '../terminal.ts';

interface ListOptions extends PageOptions {
  readonly of?: string;
  readonly live?: true;
}

export function addSessionsCommands(program: Command): void {
  const sessions = program.command('sessions').description('Manage sessions of people who are signed in.');
  const list = sessions
    .command('list')
    .description('List sessions, newest first.')
    .option('--of <who>', 'of one person or integration: id, sign-in name or name')
    .option('--live', 'only open sessions');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { of, live, limit, cursor } = options;
      const rooms = await client();
      const principal_id = of === undefined ? undefined : (await findPerson(rooms, of)).item.id;
      const query = { principal_id, live: live && 'true', limit, cursor };
      answer(await rooms.sessions.listAccessSessions({ query }), (page) => {
        const rows = page.items.map((session) => [
          session.session_id,
          session.principal.display_name,
          session.source_kind,
          session.device,
          session.address,
          session.created_at,
          session.last_used_at,
          session.revoked_at === null ? session.expires_at : `${session.revoked_at} (ended)`,
        ]);
        const head = ['ID', 'WHO', 'BY', 'DEVICE', 'ADDRESS', 'BEGAN', 'LAST USED', 'UNTIL'];
        return appendNextPage(table(head, rows), page);
      });
    }),
  );
  sessions
    .command('end')
    .description('End a session at once.')
    .argument('<id>', 'the id from sessions list')
    .action(
      action(async ({ client, answer }, session_id = '') => {
        const rooms = await client();
        const { policy_version: expected_policy_version } = await rooms.access.me();
        const body = { expected_policy_version };
        answer(await rooms.sessions.revokeAccessSession({ params: { session_id }, body }), ({ changed }) =>
          changed ? 'The session has ended.' : 'The session had already ended.',
        );
      }),
    );
}
