import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { INBOUND_STATUSES, type InboundStatus } from '../../../shared/states/inbound.ts';
import { type AboutOptions, aboutChangeOf, aboutColumn, addAboutOptions } from '../about-words.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { findContact } from '../find-contact.ts';
import { describeInbound, describeRecovery, stateWords } from '../inbound-words.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { table, terminal } from '../terminal.ts';
import { addJunkCommands } from './inbound-junk.ts';

export function addInboundCommands(program: Command): void {
  const inbound = program.command('inbound').description('Show and manage received faxes.');
  addList(inbound);
  addReading(inbound);
  addOriginal(inbound);
  addActing(inbound);
  addJunkCommands(inbound);
}

interface ListOptions extends PageOptions {
  readonly status?: InboundStatus;
  readonly from?: string;
  readonly to?: string;
  readonly mailbox?: string;
  readonly unread?: true;
  readonly junk?: boolean;
  readonly legalHold?: true;
  readonly search?: string;
  readonly since?: string;
  readonly includeTest?: true;
}

function addList(inbound: Command): void {
  const list = inbound
    .command('list')
    .description('List received faxes, newest first.')
    .addOption(choiceOption('--status <status>', INBOUND_STATUSES))
    .option('--from <number>', 'sent by this number')
    .option('--to <number>', 'sent to this number')
    .option('--mailbox <label>', 'in this mailbox')
    .option('--unread', 'only faxes that the person or integration of the key has not read')
    .option('--junk', 'only faxes in Junk, from blocked senders')
    .option('--no-junk', 'only faxes that are not in Junk')
    .option('--legal-hold', 'only faxes under a legal hold')
    .option('--search <text>', 'part of a number, the subject, reference or type')
    .option('--since <time>', 'received at or after this time, e.g. 2026-11-01T00:00:00Z')
    .option('--include-test', 'also list what test keys asked for');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { status, from, to, mailbox, search: q, since, limit, cursor } = options;
      const query = {
        status,
        from_number: from,
        to_number: to,
        mailbox,
        unread: options.unread && 'true',
        legal_hold: options.legalHold && 'true',
        include_test: options.includeTest && 'true',
        junk: options.junk === undefined ? undefined : options.junk ? 'true' : 'false',
        q,
        since,
        limit,
        cursor,
      };
      answer(await (await client()).inbound.pageInbound({ query }), (page) => {
        const rows = page.items.map((fax) => [
          fax.id,
          fax.received_at,
          fax.fr,
          fax.to,
          stateWords(fax),
          fax.pages,
          fax.mailbox,
          aboutColumn(fax),
        ]);
        return appendNextPage(
          table(['ID', 'RECEIVED', 'FROM', 'TO', 'STATE', 'PAGES', 'MAILBOX', 'ABOUT'], rows),
          page,
        );
      });
    }),
  );
}

function addReading(inbound: Command): void {
  inbound
    .command('show')
    .description('Show a received fax.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).inbound.getInbound({ params: { id } }), describeInbound);
      }),
    );
  inbound
    .command('readers')
    .description('List the people who have read a received fax, first reader first.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).inbound.inboundReaders({ params: { id } }), ({ readers }) =>
          table(
            ['READ', 'BY'],
            readers.map(({ name, read_at }) => [read_at, name]),
          ),
        );
      }),
    );
  inbound
    .command('pdf')
    .description('Save the document of a received fax.')
    .argument('<id>')
    .requiredOption('--output <file>', 'where to save it')
    .action(
      action<{ output: string }>(async ({ options, client }, id = '') => {
        const pdf = await (await client()).inbound.inboundPdf({ params: { id } });
        await writeFile(options.output, pdf, { mode: 0o600 });
        terminal.note(`Saved as ${options.output}.`);
      }),
    );
}

function addOriginal(inbound: Command): void {
  inbound
    .command('original')
    .description('Save the original that the pages of a received fax carry.')
    .argument('<id>')
    .requiredOption('--output <file>', 'where to save it')
    .action(
      action<{ output: string }>(async ({ options, client }, id = '') => {
        const original = await (await client()).inbound.inboundOriginal({ params: { id } });
        await writeFile(options.output, original, { mode: 0o600 });
        terminal.note(`Saved as ${options.output}.`);
      }),
    );
  inbound
    .command('decode')
    .description('Look for the original in the pages of a received fax again.')
    .argument('<id>')
    .option(
      '--contact <contact>',
      'the contact whose shared key is tried: its fax number, its name or its id',
    )
    .action(
      action<{ contact?: string }>(async ({ options, client, answer }, id = '') => {
        const rooms = await client();
        const contact = options.contact === undefined ? null : await findContact(rooms, options.contact);
        const body = { contact_id: contact?.id ?? null };
        answer(await rooms.inbound.decodeInbound({ params: { id }, body }), describeInbound);
      }),
    );
}

function addActing(inbound: Command): void {
  inbound
    .command('fetch')
    .description('Fetch the document of a waiting or failed fax now.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).inbound.fetchInbound({ params: { id } }), describeInbound);
      }),
    );
  inbound
    .command('move')
    .description('Move a fax that is in no mailbox, or in a disabled one, to a mailbox.')
    .argument('<id>')
    .requiredOption('--mailbox <mailbox>', 'id or label')
    .action(
      action<{ mailbox: string }>(async ({ options, client, answer }, id = '') => {
        const { mailbox } = options;
        answer(
          await (await client()).inbound.moveInbound({ params: { id }, body: { mailbox } }),
          describeInbound,
        );
      }),
    );
  const about = inbound
    .command('change')
    .description(
      'Record subject, reference or type of a received fax, for everyone. An empty text removes it.',
    )
    .argument('<id>');
  addAboutOptions(about).action(
    action<AboutOptions>(async ({ options, client, answer }, id = '') => {
      const body = aboutChangeOf(options);
      answer(await (await client()).inbound.describeInbound({ params: { id }, body }), describeInbound);
    }),
  );
  inbound
    .command('turn')
    .description('Rotate pages of a received fax for everyone. The document itself does not change.')
    .argument('<id>')
    .argument('<pages...>', 'page numbers')
    .requiredOption('--quarters <number>', 'quarter turns to the right from the original orientation, 0 to 3')
    .action(
      action<{ quarters: string }>(async ({ options, client, answer }, id = '', ...pages) => {
        const body = { pages: pages.flat().map(Number), quarter_turns: Number(options.quarters) };
        answer(await (await client()).inbound.turnInbound({ params: { id }, body }), describeInbound);
      }),
    );
  inbound
    .command('recover')
    .description('File the images that the telephone engine left in its folder.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).telephony.recoverInbound(), describeRecovery);
      }),
    );
  inbound
    .command('test')
    .description('Create a test fax, as if it had been received.')
    .option('--from <number>', 'as if sent by this number')
    .option('--to <number>', 'as if sent to this number, which selects the mailbox')
    .action(
      action<{ from?: string; to?: string }>(async ({ options, client, answer }) => {
        const body = { from_number: options.from, to_number: options.to };
        answer(await (await client()).inbound.testInbound({ body }), describeInbound);
      }),
    );
  inbound
    .command('test-fax')
    .description('Receive a test fax with a test key, which alone sees it in its lists.')
    .option('--from <number>', 'as if sent by this number')
    .option('--to <number>', 'as if sent to this number, which selects the mailbox')
    .action(
      action<{ from?: string; to?: string }>(async ({ options, client, answer }) => {
        const body = { from_number: options.from, to_number: options.to };
        answer(await (await client()).inbound.receiveTestFax({ body }), describeInbound);
      }),
    );
}
