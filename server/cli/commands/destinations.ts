import type { Command } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { destinationRoutes } from '../../../shared/api/routing-destinations.ts';
import { formatMoney } from '../../../shared/money.ts';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

type Destination = AnswerOf<typeof destinationRoutes.getDestination>;
type Record = Destination['routes'][number]['days_30'];

export function addDestinationCommands(costs: Command): void {
  costs
    .command('destinations')
    .description('Show the results of each route for the numbers of the last 90 days, and the best route.')
    .option('--limit <count>', 'maximum number of results')
    .option('--cursor <cursor>', 'the next_cursor of the page before, with --json')
    .action(
      action<{ limit?: string; cursor?: string }>(async ({ options, client, answer }) => {
        const { limit, cursor } = options;
        const query = { ...(limit && { limit }), ...(cursor && { cursor }) };
        const page = await (await client()).destinations.listDestinations({ query });
        answer(page, ({ items }) =>
          table(
            ['NUMBER', 'RECOMMENDED'],
            items.map(({ number, recommendation }) => [number, recommendation.reason]),
          ),
        );
      }),
    );
  costs
    .command('destination')
    .description('Show the results of each route for one number.')
    .argument('<number>', 'with + and country code, or a national number')
    .action(
      action(async ({ client, answer }, number = '') => {
        const params = { number };
        answer(await (await client()).destinations.getDestination({ params }), formatDestination);
      }),
    );
}

function formatDestination({ routes, recommendation }: Destination): string {
  const lines = routes.flatMap(({ name, days_30, days_90 }) => [
    [name, '30', ...countsOf(days_30)],
    [name, '90', ...countsOf(days_90)],
  ]);
  if (lines.length === 0) return recommendation.reason;
  const heads = ['ROUTE', 'DAYS', 'DELIVERED', 'FAILED', 'TO CONFIRM', 'AMOUNT', 'UNKNOWN'];
  return `${table(heads, lines)}\n\n${recommendation.reason}`;
}

const countsOf = ({ success, failed, doubt, amounts, unknown }: Record) => [
  success,
  failed,
  doubt,
  amounts.length === 0 ? null : amounts.map((money) => formatMoney(money)).join(' + '),
  unknown,
];
