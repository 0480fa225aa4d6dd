import type { Command } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { deliveryRoutes } from '../../../shared/api/routing-routes.ts';
import type { Client } from '../../../shared/client/index.ts';
import { ERRORS } from '../../../shared/errors/all.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { readSecretText } from '../read-secrets.ts';
import { facts, table } from '../terminal.ts';

type Route = AnswerOf<typeof deliveryRoutes.getDeliveryRoute>;

const ROUTE = 'its name or its id';

/** By which provider, trunk and account faxes to which numbers leave. */
export function addRoutesCommands(program: Command): void {
  const routes = program
    .command('routes')
    .description('Manage routes: the accounts for faxes to certain numbers.');
  addList(routes);
  addShow(routes);
  addAdd(routes);
  addChange(routes);
  addRemove(routes);
}

function addList(routes: Command): void {
  const list = routes.command('list').description('List routes, oldest first.');
  addPagingOptions(list).action(
    action<PageOptions>(async ({ options: { limit, cursor }, client, answer }) => {
      const page = await (await client()).deliveryRoutes.listDeliveryRoutes({ query: { limit, cursor } });
      answer(page, (shown) => appendNextPage(table(HEAD, shown.items.map(rowOf)), shown));
    }),
  );
}

const HEAD = ['NAME', 'PROVIDER', 'NUMBERS', 'PRIORITY', 'STATE', 'ID'];

function rowOf(route: Route): (string | number | null)[] {
  const { name, backend, priority, enabled, problem, id } = route;
  const state = enabled ? (problem === null ? 'on' : 'cannot be used') : 'off';
  return [name, backend, numbersOf(route), priority, state, id];
}

const numbersOf = ({ prefixes }: Route): string => (prefixes.length === 0 ? 'all' : prefixes.join(' '));

function addShow(routes: Command): void {
  routes
    .command('show')
    .description('Show a route.')
    .argument('<route>', ROUTE)
    .action(
      action(async ({ client, answer }, given = '') =>
        answer(await findRoute(await client(), given), describe),
      ),
    );
}

interface Options {
  readonly name?: string;
  readonly backend?: string;
  readonly prefix?: string[];
  readonly priority?: string;
  readonly lines?: string;
  readonly ownNumber?: string;
  readonly headerName?: string;
  readonly account?: string;
  readonly enabled?: boolean;
  readonly nextRoute?: boolean;
}

function withFields(command: Command): Command {
  const { least, most, usual } = LIMITS.deliveryRoute.priority;
  return command
    .option('--prefix <prefixes...>', 'prefixes of the numbers, e.g. +49; "" for all numbers')
    .option('--priority <number>', `${least} to ${most}; the lowest is used first; ${usual} if left out`)
    .option('--lines <number>', 'simultaneous calls; "" for as many as the account allows')
    .option('--own-number <number>', 'the number in the header line; "" for the number in the settings')
    .option('--header-name <name>', 'the name in the header line; "" for the organization name')
    .option(
      '--account <settings>',
      'settings of a separate account, one NAME=value per line: - prompts for them without showing them, or reads them from standard input; "" for the account in the settings',
    )
    .addOption(booleanOption('--enabled', 'whether new faxes use it'))
    .addOption(booleanOption('--next-route', 'whether a fax that definitely failed can use the next route'));
}

async function fieldsOf(options: Options) {
  const { name, backend, prefix, priority, lines, ownNumber, headerName, account, enabled, nextRoute } =
    options;
  return {
    name,
    backend,
    prefixes: prefix?.filter((one) => one !== ''),
    priority: priority === undefined ? undefined : Number(priority),
    lines: lines === undefined ? undefined : lines === '' ? null : Number(lines),
    own_number: ownNumber === '' ? null : ownNumber,
    header_name: headerName === '' ? null : headerName,
    account:
      account === undefined
        ? undefined
        : accountOf(account === '-' ? await readSecretText('NAME=value, or an empty line') : account),
    enabled,
    next_allowed: nextRoute,
  };
}

/** `CLOUDTWO_API_KEY=…` in lines; true and false are taken as such. */
function accountOf(given: string): Record<string, string | number | boolean> | null {
  const lines = given
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line, number) => {
      const at = line.indexOf('=');
      if (at < 1)
        throw new CommandFailure(`Line ${number + 1} is not a setting. Write NAME=value.`, EXIT.usage);
      const value = line.slice(at + 1).trim();
      return [line.slice(0, at).trim(), value === 'true' || value === 'false' ? value === 'true' : value];
    }),
  );
}

function addAdd(routes: Command): void {
  const add = routes
    .command('create')
    .description('Create a route. New faxes use the best matching route.')
    .argument('<name>')
    .argument('<provider>', 'its name in the settings, e.g. sip');
  withFields(add).action(
    action<Options>(async ({ options, client, answer }, name = '', backend = '') => {
      const body = { ...(await fieldsOf(options)), name, backend };
      answer(await (await client()).deliveryRoutes.createDeliveryRoute({ body }), describe);
    }),
  );
}

function addChange(routes: Command): void {
  const change = routes
    .command('change')
    .description('Change a route. Anything left out stays the same. Faxes already accepted are not affected.')
    .argument('<route>', ROUTE)
    .option('--name <name>')
    .option('--backend <provider>', 'its name in the settings');
  withFields(change).action(
    action<Options>(async ({ options, client, answer }, given = '') => {
      const wanted = requireChange(await fieldsOf(options));
      const rooms = await client();
      const { id, version } = await findRoute(rooms, given);
      const body = { ...wanted, version };
      answer(await rooms.deliveryRoutes.changeDeliveryRoute({ params: { id }, body }), describe);
    }),
  );
}

function addRemove(routes: Command): void {
  routes
    .command('remove')
    .description('Remove a route. Faxes already accepted for it are still sent through it.')
    .argument('<route>', ROUTE)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findRoute(rooms, given);
        const removed = await rooms.deliveryRoutes.removeDeliveryRoute({ params: { id }, body: { version } });
        answer(removed, ({ name }) => `Removed ${name}.`);
      }),
    );
}

/** By id, or by name in any letters. Throws when there is none, or several have the name. */
async function findRoute({ deliveryRoutes: routes }: Client, given: string): Promise<Route> {
  const found: Route[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor } = await routes.listDeliveryRoutes({
      query: { limit: LIMITS.listLimit.most, cursor },
    });
    found.push(...items.filter(({ id, name }) => [id, name.toLowerCase()].includes(given.toLowerCase())));
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  const [only] = found;
  if (only === undefined) throw new CommandFailure(ERRORS.no_such_delivery_route.sentence, EXIT.notFound);
  if (found.length > 1)
    throw new CommandFailure('Several routes have that name. Use the id instead.', EXIT.conflict);
  return only;
}

function describe(route: Route): string {
  return facts([
    ['Route', route.name],
    ['ID', route.id],
    ['Provider', route.backend],
    ['Account', route.has_account ? 'its own' : 'the one in the settings'],
    ['Numbers', numbersOf(route)],
    ['Priority', route.priority],
    ['State', route.enabled ? 'on' : 'off'],
    ['Lines', route.lines],
    ['Own number', route.own_number],
    ['Header name', route.header_name],
    ['Next route after a failure', route.next_allowed ? 'yes' : 'no'],
    ['Cannot be used', route.problem],
  ]);
}
