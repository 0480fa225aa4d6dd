import type { Command } from 'commander';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

export function addGatewaysCommands(program: Command): void {
  const gateways = program.command('gateways').description('Show the gateways that use one database.');
  gateways
    .command('list')
    .description('List them, with the one that does the background work.')
    .action(
      action(async ({ client, answer }) =>
        answer(await (await client()).gateways.list(), ({ gateways: all }) =>
          table(
            ['GATEWAY', 'RELEASE', 'STATE', 'BACKGROUND WORK', 'LAST SEEN'],
            all.map((each) => [
              each.this ? `${each.name} (this one)` : each.name,
              each.release,
              each.state,
              each.works ? 'yes' : 'no',
              each.last_seen_at,
            ]),
          ),
        ),
      ),
    );
}
