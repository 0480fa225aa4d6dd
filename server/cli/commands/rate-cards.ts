import { type Command, Option } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { rateRoutes } from '../../../shared/api/routing-rates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { action } from '../command.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { parseTime } from '../parse-time.ts';
import { facts, table } from '../terminal.ts';

type Card = AnswerOf<typeof rateRoutes.createRateCard>;
type Prices = Pick<
  Card,
  'currency' | 'per_page' | 'per_minute' | 'per_fax' | 'monthly_fee' | 'increment_seconds' | 'minimum_seconds'
>;

/** Adds the commands for the rate cards of providers and the phone line. */
export function addRateCardCommands(costs: Command): void {
  const cards = costs.command('cards').description('Manage the prices of providers and the phone line.');
  addList(cards);
  addShow(cards);
  addAdd(cards);
  addChange(cards);
  addRemove(cards);
}

function addList(cards: Command): void {
  const list = cards.command('list').description('List rate cards with their newest prices, oldest first.');
  addPagingOptions(list).action(
    action<PageOptions>(async ({ options: { limit, cursor }, client, answer }) => {
      const page = await (await client()).rates.listRateCards({ query: { limit, cursor } });
      answer(page, (shown) => {
        const rows = shown.items.map((card) => [
          card.backend,
          card.prefixes.length === 0 ? 'all numbers' : card.prefixes.join(' '),
          pricesOf(card),
          card.valid_from.slice(0, 10),
          card.id,
        ]);
        return appendNextPage(table(['PROVIDER', 'NUMBERS', 'PRICES', 'FROM', 'ID'], rows), shown);
      });
    }),
  );
}

function addShow(cards: Command): void {
  cards
    .command('show')
    .description('Show a rate card with all its versions.')
    .argument('<card>', 'the id of the rate card')
    .action(
      action(async ({ client, answer }, id = '') => {
        const card = await (await client()).rates.getRateCard({ params: { id } });
        answer(card, (shown) => {
          const rows = shown.versions.map((version) => [
            version.version,
            version.valid_from.slice(0, 10),
            pricesOf({ ...shown, ...version }),
            version.created_by,
            version.source,
          ]);
          return [describe(shown), table(['VERSION', 'FROM', 'PRICES', 'BY', 'SOURCE'], rows)].join('\n\n');
        });
      }),
    );
}

interface Options {
  readonly perPage?: string;
  readonly perMinute?: string;
  readonly perFax?: string;
  readonly increment?: string;
  readonly minimum?: string;
  readonly monthlyFee?: string;
  readonly includedPages?: string;
  readonly route?: string;
  readonly prefix?: string[];
  readonly source?: string;
  readonly from?: string;
}

function withPrices(command: Command): Command {
  return command
    .option('--per-page <amount>', 'e.g. 0.07')
    .option('--per-minute <amount>')
    .option('--per-fax <amount>')
    .option('--increment <seconds>', 'billing increment in seconds; 60 if left out')
    .option('--minimum <seconds>', 'minimum billed seconds; 0 if left out')
    .option('--monthly-fee <amount>')
    .option('--included-pages <pages>', 'pages per month included in the fee')
    .addOption(
      new Option('--prefix <prefixes...>', 'prefixes of the numbers, e.g. +1; all numbers if left out'),
    )
    .option('--source <text>', 'the source of the prices')
    .option('--from <time>', 'for faxes that begin at this time or later; now if left out');
}

const bodyOf = (currency: string, options: Options) => ({
  currency,
  per_page: options.perPage ?? null,
  per_minute: options.perMinute ?? null,
  per_fax: options.perFax ?? null,
  ...(options.increment !== undefined && { increment_seconds: Number(options.increment) }),
  ...(options.minimum !== undefined && { minimum_seconds: Number(options.minimum) }),
  monthly_fee: options.monthlyFee ?? null,
  included_pages: options.includedPages === undefined ? null : Number(options.includedPages),
  prefixes: options.prefix ?? [],
  source: options.source ?? '',
  ...(options.from !== undefined && { valid_from: parseTime(options.from) }),
});

function addAdd(cards: Command): void {
  const add = cards
    .command('create')
    .description('Enter the prices of a provider or the phone line.')
    .argument('<provider>', 'its name in the settings, e.g. sip')
    .argument('<currency>', 'e.g. USD')
    .option('--route <id>', 'only for faxes that use this route');
  withPrices(add).action(
    action<Options>(async ({ options, client, answer }, backend = '', currency = '') => {
      const body = { backend, route_id: options.route ?? null, ...bodyOf(currency, options) };
      answer(await (await client()).rates.createRateCard({ body }), describe);
    }),
  );
}

function addChange(cards: Command): void {
  const change = cards
    .command('change')
    .description('Enter all new prices of a rate card. Earlier versions stay for older faxes.')
    .argument('<card>', 'the id of the rate card')
    .argument('<currency>', 'e.g. USD');
  withPrices(change).action(
    action<Options>(async ({ options, client, answer }, id = '', currency = '') => {
      const { rates } = await client();
      const { version } = await rates.getRateCard({ params: { id } });
      const body = { version, ...bodyOf(currency, options) };
      answer(await rates.changeRateCard({ params: { id }, body }), describe);
    }),
  );
}

function addRemove(cards: Command): void {
  cards
    .command('remove')
    .description('Remove a rate card. Earlier faxes keep their prices.')
    .argument('<card>', 'the id of the rate card')
    .action(
      action(async ({ client, answer }, id = '') => {
        const { rates } = await client();
        const { version } = await rates.getRateCard({ params: { id } });
        const removed = await rates.removeRateCard({ params: { id }, body: { version } });
        answer(removed, ({ backend }) => `Removed the rate card of ${backend}.`);
      }),
    );
}

/** `$0.07 a page, $0.03 a minute (60 s steps, at least 30 s)` */
function pricesOf(prices: Prices): string {
  const { per_page, per_minute, per_fax, monthly_fee, increment_seconds, minimum_seconds } = prices;
  const steps = `in steps of ${increment_seconds} s, at least ${minimum_seconds} s`;
  const price = (amount: string) => formatMoney({ amount, currency: prices.currency });
  const parts = [
    per_page !== null && `${price(per_page)} a page`,
    per_minute !== null && `${price(per_minute)} a minute (${steps})`,
    per_fax !== null && `${price(per_fax)} a fax`,
    monthly_fee !== null && `${price(monthly_fee)} a month`,
  ];
  return parts.filter(Boolean).join(', ');
}

function describe(card: Card): string {
  return facts([
    ['Rate card', card.id],
    ['Provider', card.backend],
    ['Route', card.route_id],
    ['Numbers', card.prefixes.length === 0 ? 'all' : card.prefixes.join(' ')],
    ['Prices', pricesOf(card)],
    ['Included pages', card.included_pages === null ? null : String(card.included_pages)],
    ['Version', String(card.version)],
    ['Valid from', card.valid_from],
    ['Source', card.source],
  ]);
}
