import type { Command } from 'commander';
import type { z } from 'zod';
import type { MailSender, MailToFaxMessage } from '../../../shared/api/mail-to-fax.ts';
import { ERRORS } from '../../../shared/errors/all.ts';
import { MAIL_TO_FAX_STATE_TEXT, MAIL_TO_FAX_STATES } from '../../../shared/states/mail-to-fax.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { table } from '../terminal.ts';

type Message = z.infer<typeof MailToFaxMessage>;
type Sender = z.infer<typeof MailSender>;

export function addMailToFaxCommands(program: Command): void {
  const mail = program
    .command('mail-to-fax')
    .description('Manage e-mails that are sent as faxes, and the allowed senders.');
  addList(mail);
  addSenders(mail);
  addAllow(mail);
  addForbid(mail);
}

interface ListOptions extends PageOptions {
  readonly state?: string;
}

function addList(mail: Command): void {
  const list = mail
    .command('list')
    .description(
      'List messages of the mailbox, newest first, with the reason for each that was not sent as a fax.',
    )
    .option('--state <states>', `one or more of ${MAIL_TO_FAX_STATES.join(', ')}, separated by commas`);
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { state, limit, cursor } = options;
      answer(await (await client()).mailToFax.listMessages({ query: { state, limit, cursor } }), (page) =>
        page.items.length === 0
          ? 'No messages.'
          : appendNextPage(
              table(['TIME', 'SENDER', 'STATE', 'NUMBER', 'FAX', 'REASON'], page.items.map(rowOf)),
              page,
            ),
      );
    }),
  );
}

const rowOf = ({ recorded_at, sender, state, to_number, fax_id, sentence }: Message) => [
  recorded_at,
  sender,
  MAIL_TO_FAX_STATE_TEXT[state],
  to_number,
  fax_id,
  sentence,
];

function addSenders(mail: Command): void {
  mail
    .command('senders')
    .description('List the e-mail addresses that can send faxes, by address.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).mailToFax.listSenders(), ({ items }) =>
          items.length === 0
            ? 'No address can send faxes yet.'
            : table(['ADDRESS', 'SENDS FOR', 'MAILBOX', 'ADDED BY'], items.map(senderRow)),
        );
      }),
    );
}

const senderRow = ({ address, principal, mailbox, created_by_name }: Sender) => [
  address,
  principal.name,
  mailbox?.label ?? null,
  created_by_name,
];

function addAllow(mail: Command): void {
  mail
    .command('allow')
    .description('Let an e-mail address send faxes for a person or an integration.')
    .argument('<address>')
    .requiredOption('--for <person>', 'id, sign-in name or name of the person or integration')
    .option('--mailbox <mailbox>', 'id or label of the mailbox to send the faxes for')
    .action(
      action<{ for: string; mailbox?: string }>(async ({ options, client, answer }, address = '') => {
        const rooms = await client();
        const { item } = await findPerson(rooms, options.for);
        const body = { address, principal_id: item.id, mailbox: options.mailbox };
        answer(
          await rooms.mailToFax.addSender({ body }),
          (sender) => `${sender.address} can now send faxes for ${sender.principal.name}.`,
        );
      }),
    );
}

function addForbid(mail: Command): void {
  mail
    .command('forbid')
    .description('Stop an e-mail address from sending faxes.')
    .argument('<address>')
    .action(
      action(async ({ client, answer }, address = '') => {
        const { mailToFax } = await client();
        const { items } = await mailToFax.listSenders();
        const found = items.find((sender) => sender.address === address.trim().toLowerCase());
        if (!found) throw new CommandFailure(ERRORS.no_such_mail_sender.sentence, EXIT.notFound);
        answer(
          await mailToFax.removeSender({ params: { id: found.id } }),
          (sender) => `${sender.address} can no longer send faxes.`,
        );
      }),
    );
}
