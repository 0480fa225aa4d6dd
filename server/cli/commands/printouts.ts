import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { Printout as PrintoutShape } from '../../../shared/api/print-rules.ts';
import {
  PRINT_DECISIONS,
  PRINT_STATE_TEXT,
  PRINT_STATES,
  type PrintDecision,
} from '../../../shared/states/print-rules.ts';
import { action } from '../command.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { facts, oneLine, table } from '../terminal.ts';
import { parseVersionOption } from '../version-option.ts';

type Printout = z.infer<typeof PrintoutShape>;

export function addPrintoutsCommands(program: Command): void {
  const printouts = program
    .command('printouts')
    .description('Manage printouts of received faxes, and decide about those that need a check.');
  addList(printouts);
  addRetry(printouts);
  addConfirm(printouts);
}

interface ListOptions extends PageOptions {
  readonly state?: string;
  readonly fax?: string;
}

function addList(printouts: Command): void {
  const list = printouts
    .command('list')
    .description('List printouts of received faxes, newest first.')
    .option('--state <states>', `one or more of ${PRINT_STATES.join(', ')}, separated by commas`)
    .option('--fax <id>', 'only printouts of this received fax');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { state, fax: fax_id, limit, cursor } = options;
      const query = { state, fax_id, limit, cursor };
      answer(await (await client()).printRules.listPrintouts({ query }), (page) =>
        page.items.length === 0
          ? 'No printouts.'
          : appendNextPage([table(HEAD, page.items.map(rowOf)), ...questionsOf(page.items)].join('\n'), page),
      );
    }),
  );
}

const HEAD = ['TIME', 'PRINT RULE', 'PRINTER', 'STATE', 'ID'];

const rowOf = ({ id, rule, printer, state, printed_at, recorded_at }: Printout) => [
  printed_at ?? recorded_at,
  rule.name,
  printer,
  PRINT_STATE_TEXT[state],
  id,
];

/** Returns the open questions of printouts that need a check, with the command that answers each. */
const questionsOf = (printouts: readonly Printout[]): string[] =>
  printouts
    .filter(({ state }) => state === 'doubtful')
    .map(
      ({ id, rule, printer, sentence }) =>
        `\n${oneLine(`${rule.name}, ${printer}: ${sentence ?? ''}`)}\nfaxdesk printouts confirm ${id} --outcome ${PRINT_DECISIONS.join('|')}`,
    );

function addRetry(printouts: Command): void {
  printouts
    .command('retry')
    .description('Print a failed or waiting fax now, within the hours of its print rule.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).printRules.retryPrintout({ params: { id } }), describe);
      }),
    );
}

function addConfirm(printouts: Command): void {
  const outcome = new Option('--outcome <outcome>', 'what was found at the printer, or what is to be done');
  printouts
    .command('confirm')
    .description('Confirm whether a fax was printed, or decide that it is printed again or not at all.')
    .argument('<id>')
    .addOption(outcome.choices(PRINT_DECISIONS).makeOptionMandatory())
    .option('--if-version <n>', 'the version last seen; if left out, the current one')
    .action(
      action<{ outcome: PrintDecision; ifVersion?: string }>(async ({ options, client, answer }, id = '') => {
        const { printRules } = await client();
        const version = parseVersionOption(options.ifVersion) ?? (await currentVersion(printRules, id));
        const body = { outcome: options.outcome, version };
        answer(await printRules.confirmPrintout({ params: { id }, body }), describe);
      }),
    );
}

/** Of an unknown printout any: the gateway says then that there is none. */
async function currentVersion(
  rules: { listPrintouts(input: { query: { ids: string } }): Promise<{ items: readonly Printout[] }> },
  id: string,
): Promise<number> {
  const { items } = await rules.listPrintouts({ query: { ids: id } });
  return items[0]?.version ?? 1;
}

function describe(printout: Printout): string {
  const { id, version, fax_id, rule, printer, state, sentence, retry_at, printed_at } = printout;
  return facts([
    ['Printout', id],
    ['Received fax', fax_id],
    ['Print rule', rule.name],
    ['Printer', printer],
    ['State', PRINT_STATE_TEXT[state]],
    ['Version', version],
    ['Problem', sentence],
    ['Next attempt', retry_at],
    ['Printed', printed_at],
  ]);
}
