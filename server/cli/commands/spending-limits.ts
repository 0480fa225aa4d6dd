import type { Command } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { limitRoutes } from '../../../shared/api/routing-limits.ts';
import type { Client } from '../../../shared/client/index.ts';
import { formatMoney } from '../../../shared/money.ts';
import { action } from '../command.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { facts, table } from '../terminal.ts';

type Spending = AnswerOf<typeof limitRoutes.spendingLimits>['month'];
type PersonSpending = AnswerOf<typeof limitRoutes.personLimit>;
type Money = NonNullable<Spending['limit']>;

/** Adds the commands for spending limits. The limits of the installation are settings. */
export function addSpendingLimitCommands(costs: Command): void {
  const limits = costs.command('limits').description('Manage spending limits per day and month.');
  addShow(limits);
  addList(limits);
  addSet(limits);
  addRemove(limits);
}

function addShow(limits: Command): void {
  limits
    .command('show')
    .description(
      'Show the limits and the amounts spent. The limits of the installation are settings: see "faxdesk settings".',
    )
    .argument(
      '[person]',
      'a person or integration: id, sign-in name or name; the whole installation if left out',
    )
    .action(
      action(async ({ client, answer }, who) => {
        const rooms = await client();
        const { limits: asked } = rooms;
        if (who !== undefined)
          return answer(
            await asked.personLimit({ params: await resolvePerson(rooms, who) }),
            formatPersonLimit,
          );
        answer(await asked.spendingLimits(), (shown) =>
          [
            facts([
              ['Active', shown.currency === null ? 'no: no currency is chosen' : 'yes'],
              ['Each person per day', amount(shown.each_person.per_day)],
              ['Each person per month', amount(shown.each_person.per_month)],
            ]),
            periods(shown),
          ].join('\n\n'),
        );
      }),
    );
}

function addList(limits: Command): void {
  const list = limits.command('list').description('List the people and integrations with their own limit.');
  addPagingOptions(list).action(
    action<PageOptions>(async ({ options: { limit, cursor }, client, answer }) => {
      const page = await (await client()).limits.listPersonLimits({ query: { limit, cursor } });
      answer(page, (shown) => {
        const rows = shown.items.map(({ principal, own, day, month }) => [
          principal.name,
          amount(own.per_day),
          amounts([...day.spent, ...day.under_way]),
          amount(own.per_month),
          amounts([...month.spent, ...month.under_way]),
          principal.id,
        ]);
        return appendNextPage(
          table(['NAME', 'PER DAY', 'TODAY', 'PER MONTH', 'THIS MONTH', 'ID'], rows),
          shown,
        );
      });
    }),
  );
}

function addSet(limits: Command): void {
  limits
    .command('change')
    .description('Give a person or integration their own limit, in the currency of the settings.')
    .argument('<person>', 'a person or integration: id, sign-in name or name')
    .option('--per-day <amount>', 'e.g. 5.00; if left out, the limit for each person applies')
    .option('--per-month <amount>', 'e.g. 50.00; if left out, the limit for each person applies')
    .action(
      action<{ perDay?: string; perMonth?: string }>(async ({ options, client, answer }, who = '') => {
        const rooms = await client();
        const { limits: asked } = rooms;
        const params = await resolvePerson(rooms, who);
        const { version } = await asked.personLimit({ params });
        const body = { version, per_day: options.perDay ?? null, per_month: options.perMonth ?? null };
        answer(await asked.setPersonLimit({ params, body }), formatPersonLimit);
      }),
    );
}

function addRemove(limits: Command): void {
  limits
    .command('remove')
    .description('Remove the limit of a person or integration. The limit for each person applies again.')
    .argument('<person>', 'a person or integration: id, sign-in name or name')
    .action(
      action(async ({ client, answer }, who = '') => {
        const rooms = await client();
        const { limits: asked } = rooms;
        const params = await resolvePerson(rooms, who);
        const { version } = await asked.personLimit({ params });
        const body = { version, per_day: null, per_month: null };
        answer(await asked.setPersonLimit({ params, body }), formatPersonLimit);
      }),
    );
}

const resolvePerson = async (rooms: Client, who: string) => ({ id: (await findPerson(rooms, who)).item.id });

function formatPersonLimit(shown: PersonSpending): string {
  const { principal, own } = shown;
  return [
    facts([
      ['Name', principal.name],
      ['Own limit per day', amount(own.per_day)],
      ['Own limit per month', amount(own.per_month)],
    ]),
    periods(shown),
  ].join('\n\n');
}

function periods({ day, month }: { day: Spending; month: Spending }): string {
  const line = (name: string, { limit, spent, under_way, left, unknown }: Spending) => [
    name,
    amount(limit),
    amounts(spent),
    amounts(under_way),
    amount(left),
    unknown,
  ];
  const heads = ['', 'LIMIT', 'SPENT', 'ON THEIR WAY', 'LEFT', 'UNKNOWN'];
  return table(heads, [line('Today', day), line('This month', month)]);
}

/** `$50.00`; null for none. */
const amount = (money: Money | null): string | null => money && formatMoney(money);

const amounts = (all: readonly Money[]): string | null =>
  all.length === 0 ? null : all.map((money) => amount(money)).join(' + ');
