import { type Command, Option } from 'commander';
import type { Client } from '../../../shared/client/index.ts';
import { newId } from '../../platform/ids.ts';
import { type AboutOptions, aboutFieldsOf, addAboutOptions } from '../about-words.ts';
import { describePacket, describePackets, type SentPacket } from '../case-words.ts';
import { action } from '../command.ts';
import { STATE_WORDS } from '../fax-words.ts';
import { addGuardOptions, type GuardOptions, guardFieldsOf } from '../guard-options.ts';
import { collect, openFiles } from '../open-files.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { parseTime } from '../parse-time.ts';
import { repeatSafely } from '../safe-repeat.ts';
import { table, terminal } from '../terminal.ts';

const CASE = 'number or name of the case, as your office writes it';

export function addCasesCommands(program: Command): void {
  const cases = program.command('cases').description('Send documents of a case as one fax, and list cases.');
  addList(cases);
  addShow(cases);
  addSend(cases);
}

interface ListOptions extends PageOptions {
  readonly search?: string;
  readonly includeTest?: true;
}

const testFaxesOf = ({ includeTest }: ListOptions) => includeTest && 'true';

function addList(cases: Command): void {
  const list = cases
    .command('list')
    .description('List cases, the one with the newest fax first.')
    .option('--search <text>', 'part of the case')
    .option('--include-test', 'also count faxes of test keys');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { search: q, limit, cursor } = options;
      const query = { q, include_test: testFaxesOf(options), limit, cursor };
      answer(await (await client()).cases.listCases({ query }), (page) => {
        const rows = page.items.map(({ case_id, packets, newest }) => [
          case_id,
          packets,
          newest.created_at,
          newest.contact?.name ?? newest.to,
          STATE_WORDS[newest.delivery_state],
        ]);
        return appendNextPage(table(['CASE', 'PACKETS', 'NEWEST', 'TO', 'STATE'], rows), page);
      });
    }),
  );
}

function addShow(cases: Command): void {
  const show = cases
    .command('show')
    .description('Show the packets of a case with their documents, newest first.')
    .argument('<case>', CASE)
    .option('--include-test', 'also show faxes of test keys');
  addPagingOptions(show).action(
    action<ListOptions>(async ({ options, client, answer }, case_id = '') => {
      const { limit, cursor } = options;
      const query = { include_test: testFaxesOf(options), limit, cursor };
      const page = await (await client()).cases.getCase({ params: { case_id }, query });
      answer(page, (packets) => appendNextPage(describePackets(packets), packets));
    }),
  );
}

interface SendOptions extends AboutOptions, GuardOptions {
  readonly to: string;
  readonly title?: readonly string[];
  readonly preview?: true;
  readonly nameSent?: true;
  readonly urgent?: true;
  readonly at?: string;
  readonly mailbox?: string;
  readonly idempotencyKey?: string;
}

function addSend(cases: Command): void {
  const send = cases
    .command('send')
    .description(
      'Send PDFs of a case as one fax, with an index and numbered pages. Accepted is not delivered.',
    )
    .argument('<case>', CASE)
    .argument('<files...>', 'PDFs, in their order')
    .requiredOption('--to <number>', 'fax number, with + and country code, or a national number')
    .addOption(
      new Option('--title <text>', 'title of a document; once for each document, in order').argParser(
        collect,
      ),
    )
    .option('--preview', 'count the pages without sending anything')
    .option(
      '--name-sent',
      'only name documents that were delivered before, if the contact accepts references; otherwise everything is sent',
    )
    .option('--urgent', 'send it before other waiting faxes, without waiting to be sent together with others')
    .option(
      '--at <time>',
      'send it at this time, e.g. 2026-11-22T08:00; without an offset, the time on this computer',
    )
    .option(
      '--mailbox <id or label>',
      'the mailbox it is sent for; required if you can send only for several mailboxes',
    )
    .option('--idempotency-key <key>', 'repeating the command with the same key never sends twice');
  addGuardOptions(send);
  addAboutOptions(send)
    .addHelpText(
      'after',
      `
Examples:
  faxdesk cases send 4711 --to "(202) 555-0123" lab.pdf referral.pdf --preview
  faxdesk cases send 4711 --to "(202) 555-0123" lab.pdf referral.pdf --title "Lab results" --title Referral --name-sent`,
    )
    .action(
      action<SendOptions>(async ({ options, client, answer }, case_id = '', paths) => {
        const gateway = await client();
        answer(await sendPacket(gateway, case_id, paths as unknown as string[], options), describePacket);
      }),
    );
}

/** A broken connection is tried again with the same key, so that it is one fax whatever got through. */
async function sendPacket(
  client: Client,
  case_id: string,
  paths: string[],
  options: SendOptions,
): Promise<SentPacket> {
  const { to, title, preview, nameSent, urgent, at, mailbox } = options;
  const key = options.idempotencyKey ?? newId();
  const flag = (value: true | undefined) => (value ? 'true' : 'false');
  const fields = {
    to,
    preview: flag(preview),
    name_sent: flag(nameSent),
    urgent: flag(urgent),
    titles: [...(title ?? [])],
    ...(mailbox === undefined ? {} : { mailbox }),
    ...(at === undefined ? {} : { send_at: parseTime(at) }),
    ...aboutFieldsOf(options),
    ...guardFieldsOf(options),
  };
  const documents = await openFiles(paths);
  const input = {
    params: { case_id },
    fields,
    files: { documents },
    ...(preview ? {} : { headers: { 'Idempotency-Key': key } }),
  };
  return repeatSafely(key, async () => {
    terminal.progress('Uploading and preparing…');
    return client.cases.sendCase(input).finally(() => terminal.progress(''));
  });
}
