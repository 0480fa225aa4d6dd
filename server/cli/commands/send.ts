import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Client } from '../../../shared/client/index.ts';
import { DOCUMENT_TYPE_CHOICE } from '../../../shared/document-types.ts';
import { PAGE_FORMS, type PageForm } from '../../../shared/encoded-pages.ts';
import { SEND_WHEN, type SendWhen } from '../../../shared/send-when.ts';
import { newId } from '../../platform/ids.ts';
import { type AboutOptions, aboutFieldsOf, addAboutOptions } from '../about-words.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { addCoverFieldOption, type CoverOptions, coverFieldsOf } from '../cover-options.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { describeFax, type Fax } from '../fax-words.ts';
import { followFax } from '../follow-fax.ts';
import { addGuardOptions, type GuardOptions, guardFieldsOf } from '../guard-options.ts';
import { collect, openFiles } from '../open-files.ts';
import { parseTime } from '../parse-time.ts';
import { repeatSafely } from '../safe-repeat.ts';
import { terminal } from '../terminal.ts';

interface SendOptions extends AboutOptions, CoverOptions, GuardOptions {
  readonly cover?: string;
  readonly wait?: boolean;
  readonly answers?: string;
  readonly queueOnly?: boolean;
  readonly urgent?: boolean;
  readonly sendNow?: boolean;
  readonly byCall?: boolean;
  readonly at?: string;
  readonly sendBy?: string;
  readonly sendWhen?: SendWhen;
  readonly cleanGreys?: boolean;
  readonly pages?: PageForm;
  readonly title?: readonly string[];
  readonly mailbox?: string;
  readonly pageEdits?: string;
  readonly idempotencyKey?: string;
}

export function addSend(program: Command): void {
  const send = program
    .command('send')
    .description('Send files as one fax. Accepted is not delivered: use --wait, or check with status.')
    .argument('<number>', 'with + and country code, or a national number')
    .argument('<files...>', `${DOCUMENT_TYPE_CHOICE}, merged in order`)
    .option('--wait', 'wait until the fax is delivered, has failed or needs confirmation')
    .option('--answers <id>', 'id of the received fax that this one answers; only recorded')
    .option('--queue-only', 'hold it; works only while sending is off')
    .option('--urgent', 'send it before other waiting faxes, without waiting to be sent together with others')
    .option(
      '--send-now',
      'do not wait for other faxes to this number; waiting faxes are sent in the same call',
    )
    .option('--by-call', 'place a call even to one of our own numbers')
    .option('--clean-greys', 'clean up grays, which makes the call shorter')
    .addOption(
      choiceOption(
        '--pages <form>',
        PAGE_FORMS,
        ', for a contact with encoded pages: ordinary pages this time, or encoded ones however long they take',
      ),
    )
    .option('--title <text>', 'title of a file; once for each file, in order', collect)
    .option(
      '--mailbox <id or label>',
      'the mailbox it is sent for; required if you can send only for several mailboxes',
    )
    .option(
      '--page-edits <file>',
      'JSON file with the changes to the pages: left out, turned, cut, blacked out (see the API)',
    )
    .option('--idempotency-key <key>', 'repeating the command with the same key never sends twice');
  addGuardOptions(send);
  send.option('--cover <id>', 'cover page by its id, see covers list; none for no cover page');
  addCoverFieldOption(send);
  addTimeOptions(send);
  addAboutOptions(send)
    .addHelpText(
      'after',
      `
With --wait, the exit code is 0 only if the fax was delivered. If the outcome is unknown, the command prints the reason
and the exit code is 1: confirm it with "faxdesk jobs reconcile", and never send it again.
If the connection breaks, the command tries again with the same idempotency key, so the fax is sent only once.

Examples:
  faxdesk send +12025550123 letter.pdf scan.tif --wait
  faxdesk send "(202) 555-0123" letter.pdf --json
  faxdesk send "(202) 555-0123" letter.pdf --guard refuse --confirm-digits 0123
  faxdesk send "(202) 555-0123" letter.pdf --cover confidential --cover-field attention="Dr. Lee"
  faxdesk send +12025550123 scan.pdf --page-edits edits.json
  faxdesk send +12025550123 plan.pdf letter.pdf --title Plan --title Letter --clean-greys --at 2026-11-22T08:00`,
    )
    .action(
      action<SendOptions>(async ({ options, client, answer }, number = '', files) => {
        const gateway = await client();
        const fax = await submit(gateway, number, files as unknown as string[], options);
        const last = options.wait ? await followFax(gateway, fax) : fax;
        answer(last, describeFax);
        if (last.delivery_state === 'failed' || last.delivery_state === 'cancelled')
          throw new CommandFailure('The fax was not delivered.');
        if (last.delivery_state === 'reconciliation_required')
          throw new CommandFailure(
            `We don’t know if it arrived. Ask the recipient, then run: faxdesk jobs reconcile ${last.id}`,
          );
      }),
    );
}

/** Adds the options about the time at which it is sent. */
function addTimeOptions(send: Command): void {
  send
    .option(
      '--at <time>',
      'send it at this time, e.g. 2026-11-22T08:00; without an offset, the time on this computer',
    )
    .option('--send-by <time>', 'latest time: what could not be sent by then fails and is never sent late')
    .addOption(
      choiceOption(
        '--send-when <hours>',
        SEND_WHEN,
        ': at any time, in the cheap hours of the settings, or in the hours of the recipient’s contact',
      ),
    );
}

/** A broken connection is tried again with the same key, so that it is one fax whatever got through. */
async function submit(client: Client, to: string, paths: string[], options: SendOptions): Promise<Fax> {
  const key = options.idempotencyKey ?? newId();
  const flag = (value: boolean | undefined) => (value ? 'true' : 'false');
  const fields = {
    to,
    ...(options.answers === undefined ? {} : { answers: options.answers }),
    queue_only: flag(options.queueOnly),
    urgent: flag(options.urgent),
    send_now: flag(options.sendNow),
    send_by_call: flag(options.byCall),
    clean_greys: flag(options.cleanGreys),
    ...(options.pages === undefined ? {} : { page_form: options.pages }),
    titles: [...(options.title ?? [])],
    ...guardFieldsOf(options),
    ...(options.mailbox === undefined ? {} : { mailbox: options.mailbox }),
    ...aboutFieldsOf(options),
    ...(options.cover === undefined ? {} : { cover: options.cover }),
    ...(options.coverField === undefined ? {} : { cover_fields: JSON.stringify(coverFieldsOf(options)) }),
    ...(options.pageEdits === undefined ? {} : { page_edits: await readEdits(options.pageEdits) }),
    ...(options.at === undefined ? {} : { send_at: parseTime(options.at) }),
    ...(options.sendBy === undefined ? {} : { send_by: parseTime(options.sendBy) }),
    ...(options.sendWhen === undefined ? {} : { send_when: options.sendWhen }),
  };
  const file = await openFiles(paths);
  const input = { fields, files: { file }, headers: { 'Idempotency-Key': key } };
  return repeatSafely(key, async () => {
    terminal.progress('Uploading and preparing…');
    return client.outbound.sendFax(input).finally(() => terminal.progress(''));
  });
}

/** Reads the file of changes to pages. Throws a command failure. */
export async function readEdits(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => {
    throw new CommandFailure(`The file ${path} cannot be read.`, EXIT.badValues);
  });
}
