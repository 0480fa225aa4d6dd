import type { Command } from 'commander';
import { requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { findMailbox, findRule, type Rule } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { facts, table } from '../terminal.ts';

const MAILBOX = 'id or label';
const NUMBER = 'with + and country code, or a national number';
const RULE = `its number ${NUMBER}, or the id of the rule`;

export function addRulesCommands(program: Command): void {
  const rules = program.command('rules').description('Manage number rules: the mailbox for each fax number.');
  addList(rules);
  addCreate(rules);
  addChange(rules);
  addRemove(rules);
  addApply(rules);
}

function addApply(rules: Command): void {
  rules
    .command('apply')
    .description('Apply the rules to faxes received earlier that are in no mailbox or a disabled one.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).inbound.applyInboundRules(), ({ moved, left }) =>
          facts([
            ['Moved', moved],
            ['Without a rule', left],
          ]),
        );
      }),
    );
}

function addList(rules: Command): void {
  const list = rules
    .command('list')
    .description('List rules, by number.')
    .option('--mailbox <mailbox>', MAILBOX);
  addPagingOptions(list).action(
    action<PageOptions & { mailbox?: string }>(async ({ options, client, answer }) => {
      const { mailbox, limit, cursor } = options;
      const rooms = await client();
      const mailbox_id = mailbox === undefined ? undefined : (await findMailbox(rooms, mailbox)).item.id;
      answer(await rooms.mailboxes.listInboundRules({ query: { mailbox_id, limit, cursor } }), (page) => {
        const rows = page.items.map((rule) => [rule.id, rule.to_number, mailboxOf(rule)]);
        return appendNextPage(table(['ID', 'NUMBER', 'MAILBOX'], rows), page);
      });
    }),
  );
}

function addCreate(rules: Command): void {
  rules
    .command('create')
    .description(
      'File the faxes to a number in a mailbox. Faxes received earlier stay where they are until the rules are applied.',
    )
    .argument('<number>', NUMBER)
    .requiredOption('--mailbox <mailbox>', MAILBOX)
    .action(
      action<{ mailbox: string }>(async ({ options, client, answer }, to_number = '') => {
        const rooms = await client();
        const { item, versions } = await findMailbox(rooms, options.mailbox);
        const { expected_policy_version } = versions;
        const body = { to_number, mailbox_id: item.id, expected_policy_version };
        answer(await rooms.mailboxes.createInboundRule({ body }), ({ rule }) => describe(rule));
      }),
    );
}

function addChange(rules: Command): void {
  rules
    .command('change')
    .description('Change the number or the mailbox of a rule.')
    .argument('<rule>', RULE)
    .option('--number <number>', NUMBER)
    .option('--mailbox <mailbox>', MAILBOX)
    .action(
      action<{ number?: string; mailbox?: string }>(async ({ options, client, answer }, given = '') => {
        const { number: to_number, mailbox } = options;
        requireChange({ to_number, mailbox });
        const rooms = await client();
        const { item, versions } = await findRule(rooms, given);
        const mailbox_id = mailbox === undefined ? undefined : (await findMailbox(rooms, mailbox)).item.id;
        const body = { to_number, mailbox_id, ...versions };
        answer(await rooms.mailboxes.changeInboundRule({ params: { id: item.id }, body }), ({ rule }) =>
          describe(rule),
        );
      }),
    );
}

function addRemove(rules: Command): void {
  rules
    .command('remove')
    .description('Remove a rule. New faxes to the number will not go to any mailbox.')
    .argument('<rule>', RULE)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { item, versions: body } = await findRule(rooms, given);
        answer(
          await rooms.mailboxes.removeInboundRule({ params: { id: item.id }, body }),
          ({ rule }) => `Faxes to ${rule.to_number} are no longer filed in ${rule.mailbox.label}.`,
        );
      }),
    );
}

const mailboxOf = ({ mailbox }: Rule) => (mailbox.enabled ? mailbox.label : `${mailbox.label} (disabled)`);

function describe(rule: Rule): string {
  return facts([
    ['Id', rule.id],
    ['Number', rule.to_number],
    ['Mailbox', mailboxOf(rule)],
  ]);
}
