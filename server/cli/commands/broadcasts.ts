import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { BROADCAST_HOURS, broadcastsRoutes } from '../../../shared/api/broadcasts.ts';
import { PAGE_FORMS, type PageForm } from '../../../shared/encoded-pages.ts';
import { RECIPIENT_STATES } from '../../../shared/states/broadcasts.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { newId } from '../../platform/ids.ts';
import { type AboutOptions, aboutFieldsOf, addAboutOptions } from '../about-words.ts';
import {
  countsText,
  describeBroadcast,
  describeSent,
  recipientRows,
  STATE_WORDS,
} from '../broadcast-words.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { addCoverFieldOption, type CoverOptions, coverFieldsOf } from '../cover-options.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { openFiles } from '../open-files.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { parseTime } from '../parse-time.ts';
import { repeatSafely } from '../safe-repeat.ts';
import { table, terminal } from '../terminal.ts';
import { readEdits } from './send.ts';

export function addBroadcastsCommands(program: Command): void {
  const broadcasts = program
    .command('broadcasts')
    .description('Send one document to many recipients, and see how that goes.');
  addCreate(broadcasts);
  addList(broadcasts);
  addShow(broadcasts);
  addActs(broadcasts);
  addReport(broadcasts);
}

interface CreateOptions extends AboutOptions, CoverOptions {
  readonly recipients?: string;
  readonly tag?: string;
  readonly name?: string;
  readonly preview?: true;
  readonly leaveOut?: true;
  readonly at?: string;
  readonly mailbox?: string;
  readonly sendBy?: string;
  readonly sendWhen?: (typeof BROADCAST_HOURS)[number];
  readonly cover?: string;
  readonly pages?: PageForm;
  readonly pageEdits?: string;
  readonly idempotencyKey?: string;
}

function addCreate(broadcasts: Command): void {
  const create = broadcasts
    .command('create')
    .description('Send documents to every recipient of a list. Accepted is not delivered.')
    .argument('<files...>', 'documents, merged in their order')
    .option('--recipients <file>', 'the list: numbers line by line, or CSV')
    .option('--tag <tag>', 'send to the contacts with this tag')
    .option('--name <text>', 'name by which people find the broadcast')
    .option('--preview', 'check the list without sending anything')
    .option('--leave-out', 'send to the usable lines of a list in which others have a problem')
    .option(
      '--at <time>',
      'begin at this time, e.g. 2026-11-22T08:00; without an offset, the time on this computer',
    )
    .option(
      '--mailbox <id or label>',
      'the mailbox it is sent for; required if you can send only for several mailboxes',
    )
    .option('--send-by <time>', 'no fax is sent after this time')
    .addOption(
      choiceOption(
        '--send-when <hours>',
        BROADCAST_HOURS,
        ': at any time, or in the cheap hours of the settings',
      ),
    )
    .option('--cover <id>', 'cover page of each fax by its id, see covers list')
    .option('--idempotency-key <key>', 'repeating the command with the same key never sends twice');
  addPageOptions(create);
  addCoverFieldOption(create);
  addAboutOptions(create)
    .addHelpText(
      'after',
      `
Examples:
  faxdesk broadcasts create hours.pdf --recipients list.csv --preview
  faxdesk broadcasts create hours.pdf --recipients list.csv --name "Holiday hours" --leave-out`,
    )
    .action(
      action<CreateOptions>(async ({ options, client, answer }, ...paths) => {
        const { recipients, tag, name, preview, leaveOut, at, mailbox, sendBy, cover } = options;
        const gateway = await client();
        const key = options.idempotencyKey ?? newId();
        const [list] = recipients === undefined ? [] : await openFiles([recipients]);
        const input = {
          fields: {
            preview: preview ? 'true' : 'false',
            leave_out: leaveOut ? 'true' : 'false',
            ...(tag === undefined ? {} : { tag }),
            ...(name === undefined ? {} : { name }),
            ...(mailbox === undefined ? {} : { mailbox }),
            ...(at === undefined ? {} : { send_at: parseTime(at) }),
            ...(sendBy === undefined ? {} : { send_by: parseTime(sendBy) }),
            ...(options.sendWhen === undefined ? {} : { send_when: options.sendWhen }),
            ...(options.pages === undefined ? {} : { page_form: options.pages }),
            ...(options.pageEdits === undefined ? {} : { page_edits: await readEdits(options.pageEdits) }),
            ...(cover === undefined ? {} : { cover }),
            ...(options.coverField === undefined
              ? {}
              : { cover_fields: JSON.stringify(coverFieldsOf(options)) }),
            ...aboutFieldsOf(options),
          },
          files: {
            file: await openFiles(paths.flat()),
            ...(list === undefined ? {} : { recipients_file: [list] }),
          },
          ...(preview ? {} : { headers: { 'Idempotency-Key': key } }),
        };
        const sent = await repeatSafely(key, async () => {
          terminal.progress('Uploading and preparing…');
          return gateway.broadcasts.sendBroadcast(input).finally(() => terminal.progress(''));
        });
        answer(sent, describeSent);
      }),
    );
}

/** Adds the options about the pages of the document. */
function addPageOptions(create: Command): void {
  create
    .addOption(
      choiceOption(
        '--pages <form>',
        PAGE_FORMS,
        ', for contacts with encoded pages: ordinary pages this time, or encoded ones however long they take',
      ),
    )
    .option('--page-edits <file>', 'JSON file with the changes to the pages, as for send');
}

interface ListOptions extends PageOptions {
  readonly search?: string;
  readonly scheduled?: true;
  readonly includeTest?: true;
}

function addList(broadcasts: Command): void {
  const list = broadcasts
    .command('list')
    .description('List broadcasts, newest first.')
    .option('--search <text>', 'part of the name, the file name, the subject or the reference')
    .option('--scheduled', 'only broadcasts that wait for the time at which they begin')
    .option('--include-test', 'also list broadcasts of test keys');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { search: q, limit, cursor } = options;
      const scheduled = options.scheduled && 'true';
      const query = { q, scheduled, include_test: options.includeTest && 'true', limit, cursor };
      answer(await (await client()).broadcasts.listBroadcasts({ query }), (page) => {
        const rows = page.items.map((each) => [
          each.id,
          each.created_at,
          STATE_WORDS[each.state],
          each.recipients,
          countsText(each.counts),
          each.name,
        ]);
        return appendNextPage(table(['ID', 'CREATED', 'STATE', 'RECIPIENTS', 'COUNTS', 'NAME'], rows), page);
      });
    }),
  );
}

interface ShowOptions extends PageOptions {
  readonly state?: string;
  readonly recipients?: true;
}

function addShow(broadcasts: Command): void {
  const show = broadcasts
    .command('show')
    .description('Show a broadcast with its progress, or its recipients.')
    .argument('<id>')
    .option('--recipients', 'list the recipients instead')
    .addOption(new Option('--state <state>', 'only recipients in this state').choices([...RECIPIENT_STATES]));
  addPagingOptions(show).action(
    action<ShowOptions>(async ({ options, client, answer }, id = '') => {
      const { state, recipients, limit, cursor } = options;
      const gateway = await client();
      const params = { id };
      if (!recipients && state === undefined) {
        answer(await gateway.broadcasts.getBroadcast({ params }), describeBroadcast);
        return;
      }
      const query = { state, limit, cursor };
      answer(await gateway.broadcasts.listRecipients({ params, query }), (page) =>
        appendNextPage(recipientRows(page.items), page),
      );
    }),
  );
}

const ACTS = [
  ['pause', 'pauseBroadcast', 'Pause a broadcast; the few faxes that are ready are still sent.'],
  ['continue', 'continueBroadcast', 'Continue a paused broadcast.'],
  ['cancel', 'cancelBroadcast', 'Cancel everything that is not being sent yet.'],
  ['retry', 'retryBroadcast', 'Send to the recipients again whose fax failed.'],
] as const;

function addActs(broadcasts: Command): void {
  for (const [name, route, description] of ACTS)
    broadcasts
      .command(name)
      .description(description)
      .argument('<id>')
      .action(
        action(async ({ client, answer }, id = '') => {
          answer(await (await client()).broadcasts[route]({ params: { id } }), describeBroadcast);
        }),
      );
}

interface ReportOptions {
  readonly output: string;
  readonly csv?: true;
  readonly overwrite?: true;
}

function addReport(broadcasts: Command): void {
  broadcasts
    .command('report')
    .description('Save the report of a broadcast, with every recipient.')
    .argument('<id>')
    .requiredOption('--output <file>', 'where to save it')
    .option('--csv', 'as CSV instead of PDF')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .action(
      action<ReportOptions>(async ({ options, client }, id = '') => {
        const path = resolve(options.output);
        if (existsSync(path) && !options.overwrite)
          throw new CommandFailure(
            `${options.output} already exists. Use --overwrite to replace it.`,
            EXIT.conflict,
          );
        const route = options.csv ? broadcastsRoutes.broadcastCsv : broadcastsRoutes.broadcastReport;
        const rooms = await client();
        const pieces = rooms.stream(route, { params: { id } });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${options.output}.`);
      }),
    );
}
