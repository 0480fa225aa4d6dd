import type { Command } from 'commander';
import type { z } from 'zod';
import { formatHours, readHours } from '../../../shared/allowed-hours.ts';
import type { PrintRule as PrintRuleShape } from '../../../shared/api/print-rules.ts';
import type { Client } from '../../../shared/client/index.ts';
import { ERRORS } from '../../../shared/errors/all.ts';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findMailbox } from '../find-access.ts';
import { facts, table } from '../terminal.ts';

type PrintRule = z.infer<typeof PrintRuleShape>;

const RULE = 'its name or its id';
const ALL = 'all';
const ALWAYS = 'always';

export function addPrintRulesCommands(program: Command): void {
  const rules = program
    .command('print-rules')
    .description('Manage the rules that print received faxes on an office printer.');
  addList(rules);
  addShow(rules);
  addCreate(rules);
  addChange(rules);
  addRemove(rules);
  addCheck(rules);
}

function addList(rules: Command): void {
  rules
    .command('list')
    .description('List print rules, by name.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).printRules.listPrintRules(), ({ items }) =>
          items.length === 0 ? 'No print rules.' : table(HEAD, items.map(rowOf)),
        );
      }),
    );
}

const HEAD = ['NAME', 'MAILBOX', 'PRINTER', 'HOURS', 'STATE', 'ID'];

const mailboxWords = ({ mailbox }: PrintRule) =>
  mailbox === null ? ALL : (mailbox.label ?? 'a mailbox that was removed');
const hoursWords = ({ hours }: PrintRule) => (hours === null ? ALWAYS : formatHours(hours));

function rowOf(rule: PrintRule): string[] {
  const { id, name, printer, enabled } = rule;
  return [name, mailboxWords(rule), printer, hoursWords(rule), enabled ? 'on' : 'off', id];
}

function addShow(rules: Command): void {
  rules
    .command('show')
    .description('Show a print rule.')
    .argument('<print-rule>', RULE)
    .action(
      action(async ({ client, answer }, given = '') => {
        answer(await findPrintRule(await client(), given), describe);
      }),
    );
}

interface Options {
  readonly name?: string;
  readonly mailbox?: string;
  readonly printer?: string;
  readonly printerUrl?: string;
  readonly hours?: string;
  readonly enabled?: boolean;
}

function withFields(command: Command): Command {
  return command
    .option('--printer <name>', 'name of the printer for people, such as Reception')
    .option('--printer-url <address>', 'address of the printer, such as ipp://192.0.2.30/ipp/print')
    .option('--mailbox <mailbox>', `only faxes of this mailbox, by label or id; "${ALL}" for all`)
    .option(
      '--hours <hours>',
      `when it prints, such as "Mon-Fri 08:00-17:00"; a fax that arrives at another time is printed when they begin; "${ALWAYS}" for always`,
    )
    .addOption(booleanOption('--enabled', 'whether it prints new faxes'));
}

async function fieldsOf(client: Client, { name, mailbox, printer, printerUrl, hours, enabled }: Options) {
  return {
    name,
    printer,
    printer_url: printerUrl,
    mailbox_id: mailbox === undefined ? undefined : await mailboxOf(client, mailbox),
    hours: hours === undefined ? undefined : hoursOf(hours),
    enabled,
  };
}

async function mailboxOf(client: Client, given: string): Promise<string | null> {
  return given === '' || given === ALL ? null : (await findMailbox(client, given)).item.id;
}

function hoursOf(given: string) {
  if (given === '' || given === ALWAYS) return null;
  const hours = readHours(given);
  if (hours === null)
    throw new CommandFailure('Give days and times such as "Mon-Fri 08:00-17:00".', EXIT.usage);
  return hours;
}

function addCreate(rules: Command): void {
  const create = rules
    .command('create')
    .description('Create a print rule. New faxes are printed once on its printer.')
    .argument('<name>');
  withFields(create).action(
    action<Options>(async ({ options, client, answer }, name = '') => {
      const rooms = await client();
      const { printer = '', printer_url = '', ...fields } = await fieldsOf(rooms, options);
      const body = { ...fields, name, printer, printer_url };
      answer(await rooms.printRules.createPrintRule({ body }), describe);
    }),
  );
}

function addChange(rules: Command): void {
  const change = rules
    .command('change')
    .description('Change a print rule. Anything left out stays the same.')
    .argument('<print-rule>', RULE)
    .option('--name <name>');
  withFields(change).action(
    action<Options>(async ({ options, client, answer }, given = '') => {
      const rooms = await client();
      const wanted = requireChange(await fieldsOf(rooms, options));
      const {
        id,
        mailbox,
        created_at: _made,
        updated_at: _at,
        ...before
      } = await findPrintRule(rooms, given);
      const changes = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const body = { ...before, mailbox_id: mailbox?.id ?? null, ...changes };
      answer(await rooms.printRules.changePrintRule({ params: { id }, body }), describe);
    }),
  );
}

function addRemove(rules: Command): void {
  rules
    .command('remove')
    .description('Remove a print rule. Faxes that it has not printed yet are not printed.')
    .argument('<print-rule>', RULE)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findPrintRule(rooms, given);
        const removed = await rooms.printRules.removePrintRule({ params: { id }, body: { version } });
        answer(removed, ({ name }) => `Removed ${name}.`);
      }),
    );
}

function addCheck(rules: Command): void {
  rules
    .command('check')
    .description('Check that the printer of a print rule answers. Nothing is printed.')
    .argument('<print-rule or address>', `${RULE}, or the address of a printer`)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const printer_url = /^ipps?:/iu.test(given) ? given : (await findPrintRule(rooms, given)).printer_url;
        const result = await rooms.printRules.checkPrinter({ body: { printer_url } });
        answer(result, ({ detail }) => detail);
        if (!result.ok) throw new CommandFailure('The printer does not print now.', EXIT.failed);
      }),
    );
}

/** By name, whatever its letters, or id. Throws CommandFailure. */
async function findPrintRule({ printRules }: Client, given: string): Promise<PrintRule> {
  const { items } = await printRules.listPrintRules();
  const byId = items.find(({ id }) => id === given);
  if (byId) return byId;
  const wanted = given.trim().toLowerCase();
  const [found, second] = items.filter(({ name }) => name.toLowerCase() === wanted);
  if (!found) throw new CommandFailure(ERRORS.no_such_print_rule.sentence, EXIT.notFound);
  if (second)
    throw new CommandFailure('Several print rules have that name. Use the id instead.', EXIT.conflict);
  return found;
}

function describe(rule: PrintRule): string {
  return facts([
    ['Print rule', rule.id],
    ['Name', rule.name],
    ['Mailbox', mailboxWords(rule)],
    ['Printer', rule.printer],
    ['Address', rule.printer_url],
    ['Hours', hoursWords(rule)],
    ['Enabled', rule.enabled ? 'yes' : 'no'],
  ]);
}
