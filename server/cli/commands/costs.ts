import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import { COST_GROUPS, type CostGroup, costRoutes } from '../../../shared/api/routing-costs.ts';
import { formatMoney } from '../../../shared/money.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table, terminal } from '../terminal.ts';
import { addDestinationCommands } from './destinations.ts';
import { addRateCardCommands } from './rate-cards.ts';
import { addSpendingLimitCommands } from './spending-limits.ts';

type Costs = AnswerOf<typeof costRoutes.costs>;
type Sums = Costs['all'];

export function addCostsCommands(program: Command): void {
  const costs = program.command('costs').description('Show the costs of faxes.');
  addSums(costs);
  addNumbers(costs);
  addPlans(costs);
  addQuote(costs);
  addDestinationCommands(costs);
  addSpendingLimitCommands(costs);
  addRateCardCommands(costs);
}

interface SumOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: CostGroup;
  readonly output?: string;
  readonly overwrite?: true;
}

function addSums(costs: Command): void {
  costs
    .command('sums')
    .description('Show costs of faxes by currency. Unknown costs are counted but not included in any amount.')
    .option('--from <day>', 'e.g. 2026-11-01; if left out, the first of the month')
    .option('--to <day>', 'the last day; if left out, today')
    .addOption(new Option('--by <group>', 'how to group the costs').choices(COST_GROUPS).default('day'))
    .option('--output <file>', 'save them as CSV instead, safe to open in a spreadsheet')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .action(
      action<SumOptions>(async ({ options, client, answer }) => {
        const { from, to, by: group_by, output, overwrite } = options;
        const query = { group_by, ...(from && { from }), ...(to && { to }) };
        if (output === undefined) return answer(await (await client()).costs.costs({ query }), formatCosts);
        const path = resolve(output);
        if (existsSync(path) && !overwrite)
          throw new CommandFailure(`${output} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const pieces = (await client()).stream(costRoutes.exportCosts, { query });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${output}.`);
      }),
    );
}

function formatCosts({ group_by, rows, all }: Costs): string {
  const line = (name: string, sums: Sums) => [name, amountsOf(sums), sums.known, sums.unknown];
  const lines = rows.map((row) => line(row.name ?? 'None', row));
  return table([group_by.toUpperCase(), 'AMOUNT', 'KNOWN', 'UNKNOWN'], [...lines, line('All together', all)]);
}

/** Formats amounts: `$12.40 + €3.00`; `-` where none is available. */
const amountsOf = ({ amounts }: Sums): string | null =>
  amounts.length === 0 ? null : amounts.map((money) => formatMoney(money)).join(' + ');

function addNumbers(costs: Command): void {
  costs
    .command('numbers')
    .description('List the ten most expensive numbers of a month.')
    .option('--month <month>', 'e.g. 2026-11; if left out, this month')
    .action(
      action<{ month?: string }>(async ({ options: { month }, client, answer }) => {
        const found = await (await client()).costs.dearNumbers({ query: { ...(month && { month }) } });
        answer(found, ({ numbers }) =>
          numbers === null
            ? 'Only people who can see all sent faxes can see these numbers.'
            : table(
                ['NUMBER', 'CONTACT', 'AMOUNT', 'ATTEMPTS'],
                numbers.map(({ number, contact, amount, currency, attempts }) => [
                  number,
                  contact?.name ?? null,
                  formatMoney({ amount, currency }),
                  attempts,
                ]),
              ),
        );
      }),
    );
}

function addPlans(costs: Command): void {
  costs
    .command('plans')
    .description('Show monthly fees and the included pages left this month.')
    .action(
      action(async ({ client, answer }) => {
        const found = await (await client()).costs.plans();
        answer(found, ({ plans }) =>
          table(
            ['PROVIDER', 'NUMBERS', 'FEE', 'PAGES', 'USED', 'LEFT'],
            plans.map((plan) => [
              plan.name,
              plan.prefixes.length === 0 ? 'all numbers' : plan.prefixes.join(' '),
              plan.monthly_fee && formatMoney(plan.monthly_fee),
              plan.included_pages,
              plan.used_pages,
              plan.left_pages,
            ]),
          ),
        );
      }),
    );
}

function addQuote(costs: Command): void {
  costs
    .command('quote')
    .description('Estimate the time and cost of a fax.')
    .argument('<number>', 'with + and country code, or a national number')
    .argument('<pages>')
    .option('--seconds <seconds>', 'length of the call; if left out, that of ordinary pages')
    .action(
      action<{ seconds?: string }>(async ({ options: { seconds }, client, answer }, to = '', pages = '') => {
        const query = { to, pages, ...(seconds !== undefined && { seconds }) };
        answer(await (await client()).costs.quote({ query }), ({ ways, refusal }) =>
          [
            ...(refusal === null ? [] : [refusal]),
            ...ways.map((way) =>
              facts([
                ['Sent by', way.name],
                ['Time', `${way.seconds} s`],
                ['Cost', way.free ? 'nothing' : way.amount && formatMoney(way.amount)],
                ['Why', way.reason],
              ]),
            ),
          ].join('\n\n'),
        );
      }),
    );
}
