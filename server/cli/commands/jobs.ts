import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { PAGE_FORMS, type PageForm } from '../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { SEND_WHEN, type SendWhen } from '../../../shared/send-when.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../../shared/states/outbound.ts';
import { newId } from '../../platform/ids.ts';
import { type AboutOptions, aboutChangeOf, aboutColumn, addAboutOptions } from '../about-words.ts';
import { choiceOption, withChoices } from '../choice-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { describeFax, describeHistory } from '../fax-words.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { parseTime } from '../parse-time.ts';
import { repeatSafely } from '../safe-repeat.ts';
import { table, terminal } from '../terminal.ts';
import { parseVersionOption } from '../version-option.ts';
import { addCalendar } from './calendar.ts';
import { addDayReports } from './day-reports.ts';

export function addJobsCommands(program: Command): void {
  program.command('status').description('Show a sent fax and its state.').argument('<id>').action(show);
  const jobs = program.command('jobs').description('Show sent faxes and act on them.');
  addReading(jobs);
  addCalendar(jobs);
  addDayReports(jobs);
  addDeciding(jobs);
  addSending(jobs);
}

const show = action(async ({ client, answer }, id = '') => {
  answer(await (await client()).outbound.getFax({ params: { id } }), describeFax);
});

interface ListOptions extends PageOptions {
  readonly state?: DeliveryState;
  readonly to?: string;
  readonly search?: string;
  readonly since?: string;
  readonly scheduled?: true;
  readonly legalHold?: true;
  readonly includeTest?: true;
}

function addReading(jobs: Command): void {
  const list = jobs
    .command('list')
    .description('List sent faxes, newest first.')
    .addOption(choiceOption('--state <state>', DELIVERY_STATES))
    .option('--to <number>', 'sent to this number')
    .option('--search <text>', 'part of the number, the file name, the subject, reference or type')
    .option('--since <time>', 'accepted at or after this time, e.g. 2026-11-01T00:00:00Z')
    .option('--scheduled', 'only faxes that wait for their time')
    .option('--legal-hold', 'only faxes under a legal hold')
    .option('--include-test', 'also list test faxes');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { state, to, search: q, since, limit, cursor } = options;
      const include_test = options.includeTest && 'true';
      const scheduled = options.scheduled && 'true';
      const legal_hold = options.legalHold && 'true';
      const query = { state, to, q, since, scheduled, legal_hold, include_test, limit, cursor };
      answer(await (await client()).outbound.listFaxes({ query }), (page) => {
        const rows = page.items.map((fax) => [
          fax.id,
          fax.created_at,
          fax.to,
          fax.test ? `${fax.delivery_state} (test)` : fax.delivery_state,
          fax.document.pages,
          fax.document.file_name,
          aboutColumn(fax),
        ]);
        const columns = ['ID', 'ACCEPTED', 'TO', 'STATE', 'PAGES', 'DOCUMENT', 'ABOUT'];
        return appendNextPage(table(columns, rows), page);
      });
    }),
  );
  jobs.command('show').description('Show a sent fax.').argument('<id>').action(show);
  jobs
    .command('history')
    .description('Show the history of a fax, oldest first.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).outbound.faxHistory({ params: { id } }), describeHistory);
      }),
    );
  for (const [name, route, words] of [
    ['document', 'faxDocument', 'Save the pages as they are sent, as a PDF.'],
    ['original', 'faxOriginal', 'Save the document before its pages were changed, as a PDF.'],
    ['report', 'faxReport', 'Save the signed transmission report, which verify-report checks.'],
  ] as const)
    jobs
      .command(name)
      .description(words)
      .argument('<id>')
      .requiredOption('--output <file>', 'where to save it')
      .action(
        action<{ output: string }>(async ({ options, client }, id = '') => {
          await writeFile(options.output, await (await client()).outbound[route]({ params: { id } }), {
            mode: 0o600,
          });
          terminal.note(`Saved as ${options.output}.`);
        }),
      );
}

interface DecideOptions {
  readonly ifVersion?: string;
  readonly outcome?: string;
  readonly note?: string;
  readonly providerSid?: string;
  readonly to?: string;
  readonly fromPage?: string;
  readonly pages?: PageForm;
  readonly pagesArrived?: string;
  readonly askAgainAt?: string;
  readonly idempotencyKey?: string;
}

const VERSION = ['--if-version <n>', 'the version last seen; if left out, the current one'] as const;

function addDeciding(jobs: Command): void {
  for (const [name, words] of [
    ['release', 'Send a held fax now.'],
    ['cancel', 'Cancel a fax that has not been sent yet.'],
  ] as const)
    jobs
      .command(name)
      .description(words)
      .argument('<id>')
      .option(...VERSION)
      .action(
        action<DecideOptions>(async ({ options, client, answer }, id = '') => {
          const { outbound } = await client();
          const delivery_version = await versionOf(outbound, id, options.ifVersion);
          answer(await outbound[`${name}Fax`]({ params: { id }, body: { delivery_version } }), describeFax);
        }),
      );
  addSchedule(jobs);
  addAbout(jobs);
  jobs
    .command('reconcile')
    .description(
      'Record the outcome of a fax that needs confirmation, or give its ID at the provider. This never sends anything.',
    )
    .argument('<id>')
    .addOption(
      withChoices(
        new Option(
          '--outcome <outcome>',
          'success or failed, as the recipient told you; not_reached if you could not reach them',
        ),
        ['success', 'failed', 'not_reached'],
      ),
    )
    .option('--pages-arrived <n>', 'with failed: number of pages that arrived, counted from the first')
    .option('--ask-again-at <time>', 'with not_reached: time to ask again; if left out, in an hour')
    .option('--note <text>', 'who you spoke to, and what they said')
    .option(
      '--provider-sid <id>',
      'the provider’s ID of this fax; Faxdesk checks it and uses the provider’s result',
    )
    .option(...VERSION)
    .action(
      action<DecideOptions>(async ({ options, client, answer }, id = '') => {
        const { outbound } = await client();
        const decision = decisionOf(options);
        const delivery_version = await versionOf(outbound, id, options.ifVersion);
        answer(
          await outbound.reconcileFax({ params: { id }, body: { ...decision, delivery_version } }),
          describeFax,
        );
      }),
    );
}

function addAbout(jobs: Command): void {
  const about = jobs
    .command('change')
    .description('Change subject, reference or type of a fax. An empty text removes it.')
    .argument('<id>');
  addAboutOptions(about).action(
    action<AboutOptions>(async ({ options, client, answer }, id = '') => {
      const body = aboutChangeOf(options);
      answer(await (await client()).outbound.describeFax({ params: { id }, body }), describeFax);
    }),
  );
}

interface ScheduleOptions extends DecideOptions {
  readonly at?: string;
  readonly now?: boolean;
  readonly sendBy?: string;
  readonly sendWhen?: SendWhen;
}

function addSchedule(jobs: Command): void {
  jobs
    .command('schedule')
    .description('Move a scheduled fax to another time, or send it now.')
    .argument('<id>')
    .option(
      '--at <time>',
      'the new time, e.g. 2026-11-22T08:00; without an offset, the time on this computer',
    )
    .option('--now', 'send it now')
    .option('--send-by <time>', 'new latest time: what could not be sent by then fails')
    .addOption(choiceOption('--send-when <hours>', SEND_WHEN, ': hours in which it may be sent'))
    .option(...VERSION)
    .action(
      action<ScheduleOptions>(async ({ options, client, answer }, id = '') => {
        const { at, now = false, sendBy, sendWhen } = options;
        if (now === (at !== undefined))
          throw new CommandFailure('Give --at with a time, or --now.', EXIT.usage);
        const send_at = at === undefined ? null : parseTime(at);
        const { outbound } = await client();
        const delivery_version = await versionOf(outbound, id, options.ifVersion);
        const body = {
          delivery_version,
          send_at,
          ...(sendBy === undefined ? {} : { send_by: parseTime(sendBy) }),
          ...(sendWhen === undefined ? {} : { send_when: sendWhen }),
        };
        answer(await outbound.scheduleFax({ params: { id }, body }), describeFax);
      }),
    );
}

function addSending(jobs: Command): void {
  jobs
    .command('resend')
    .description('Send the same document again as a new fax. The old one stays as it is.')
    .argument('<id>')
    .option('--to <number>', 'another number')
    .option('--from-page <n>', 'first page to send, for example to send only missing pages')
    .addOption(
      choiceOption(
        '--pages <form>',
        PAGE_FORMS,
        ', for a contact with encoded pages, in place of the form of the earlier fax',
      ),
    )
    .option('--idempotency-key <key>', 'repeating the command with the same key never sends twice')
    .action(
      action<DecideOptions>(async ({ options, client, answer }, id = '') => {
        const body = {
          ...(options.to === undefined ? {} : { to: options.to }),
          ...(options.fromPage === undefined ? {} : { from_page: Number(options.fromPage) }),
          ...(options.pages === undefined ? {} : { page_form: options.pages }),
        };
        const { outbound } = await client();
        const key = options.idempotencyKey ?? newId();
        const input = { params: { id }, body, headers: { 'Idempotency-Key': key } };
        answer(await repeatSafely(key, () => outbound.resendFax(input)), describeFax);
      }),
    );
  jobs
    .command('retry')
    .description(
      `Try a busy or unanswered number again in ${LIMITS.tryAgainMinutes} minutes, as a new fax. Repeating the command never sends twice.`,
    )
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).outbound.tryFaxAgain({ params: { id } }), describeFax);
      }),
    );
  jobs
    .command('refresh')
    .description('Ask the provider for the state of a fax now.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).outbound.refreshFax({ params: { id } }), describeFax);
      }),
    );
}

function decisionOf({ outcome, note, providerSid, pagesArrived, askAgainAt }: DecideOptions) {
  if (providerSid !== undefined) return { provider_sid: providerSid };
  if (outcome === 'not_reached')
    return {
      outcome,
      ...(note ? { note } : {}),
      ...(askAgainAt === undefined ? {} : { ask_again_at: parseTime(askAgainAt) }),
    } as const;
  if ((outcome === 'success' || outcome === 'failed') && note)
    return {
      outcome,
      note,
      ...(pagesArrived === undefined ? {} : { pages_arrived: parsePages(pagesArrived) }),
    } as const;
  throw new CommandFailure(
    'Give --outcome success or failed with a --note, --outcome not_reached, or --provider-sid.',
    EXIT.usage,
  );
}

function parsePages(text: string): number {
  if (/^\d{1,5}$/u.test(text)) return Number(text);
  throw new CommandFailure('--pages-arrived must be a whole number.', EXIT.usage);
}

async function versionOf(
  outbound: { getFax(input: { params: { id: string } }): Promise<{ delivery_version: number }> },
  id: string,
  versionText: string | undefined,
): Promise<number> {
  return parseVersionOption(versionText) ?? (await outbound.getFax({ params: { id } })).delivery_version;
}
