import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { ApiError, type Client, UnreachableError } from '../../../shared/client/index.ts';
import { newId } from '../../platform/ids.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { describeFax, type Fax, STATE_WORDS } from '../fax-words.ts';
import { terminal } from '../terminal.ts';

interface SendOptions {
  readonly wait?: boolean;
  readonly queueOnly?: boolean;
  readonly urgent?: boolean;
  readonly sendNow?: boolean;
  readonly byCall?: boolean;
  readonly idempotencyKey?: string;
}

const TRIES = 3;
const LOOK_MS = 2_000;

export function addSend(program: Command): void {
  program
    .command('send')
    .description('Send files as one fax. Accepted is not delivered: use --wait, or look with status.')
    .argument('<number>', 'with + and country code, or a national number')
    .argument('<files...>', 'PDF, TXT, TIFF, PNG or JPEG, merged in order')
    .option('--wait', 'stay until the fax is delivered, has failed or is uncertain')
    .option('--queue-only', 'record it without sending; only while sending is switched off')
    .option('--urgent', 'before other faxes that wait')
    .option('--send-now', 'at once, even to a number that sends faxes together')
    .option('--by-call', 'a real call, even to one of our own numbers')
    .option('--idempotency-key <key>', 'repeating the command with the same key never sends twice')
    .addHelpText('after', '\nExample:\n  faxdesk send +12025550123 letter.pdf scan.tif --wait')
    .action(
      action<SendOptions>(async ({ options, client, answer }, number = '', files) => {
        const gateway = await client();
        const fax = await submit(gateway, number, files as unknown as string[], options);
        const last = options.wait ? await follow(gateway, fax) : fax;
        answer(last, describeFax);
        if (last.delivery_state === 'failed' || last.delivery_state === 'cancelled')
          throw new CommandFailure('The fax was not delivered.');
        if (last.delivery_state === 'reconciliation_required')
          throw new CommandFailure(
            `Nobody can know whether it arrived. Decide with: faxdesk jobs reconcile ${last.id}`,
          );
      }),
    );
}

/** A broken connection is tried again with the same key, so that it is one fax whatever got through. */
async function submit(client: Client, to: string, paths: string[], options: SendOptions): Promise<Fax> {
  const key = options.idempotencyKey ?? newId();
  const flag = (value: boolean | undefined) => (value ? 'true' : 'false');
  const fields = {
    to,
    queue_only: flag(options.queueOnly),
    urgent: flag(options.urgent),
    send_now: flag(options.sendNow),
    send_by_call: flag(options.byCall),
  };
  for (let tried = 1; ; tried += 1) {
    const file = await Promise.all(paths.map(openFile));
    terminal.progress('Uploading and preparing…');
    try {
      return await client.outbound.sendFax({ fields, files: { file }, headers: { 'Idempotency-Key': key } });
    } catch (error) {
      const again = error instanceof UnreachableError || (error instanceof ApiError && error.status === 503);
      if (!again || tried === TRIES) throw error;
      await pause(1_000 * tried);
    } finally {
      terminal.progress('');
    }
  }
}

async function openFile(path: string) {
  try {
    return { name: basename(path), content: await openAsBlob(path) };
  } catch {
    throw new CommandFailure(`The file ${path} cannot be read.`, EXIT.badValues);
  }
}

async function follow(client: Client, accepted: Fax): Promise<Fax> {
  const leave = () => {
    terminal.note(`The fax goes on without this command; look with: faxdesk status ${accepted.id}`);
    process.exit(EXIT.failed);
  };
  process.once('SIGINT', leave);
  try {
    let fax = accepted;
    terminal.note(`${fax.id}: ${STATE_WORDS[fax.delivery_state]}`);
    while (['ready', 'preparing', 'submitting', 'in_progress'].includes(fax.delivery_state)) {
      await pause(LOOK_MS);
      const next = await look(client, fax);
      if (next.delivery_state !== fax.delivery_state)
        terminal.note(`${fax.id}: ${STATE_WORDS[next.delivery_state]}`);
      fax = next;
    }
    return fax;
  } finally {
    process.off('SIGINT', leave);
  }
}

/** A gateway that restarts meanwhile is waited for: the fax is safe there. */
async function look(client: Client, fax: Fax): Promise<Fax> {
  try {
    return await client.outbound.getFax({ params: { id: fax.id } });
  } catch (error) {
    if (error instanceof UnreachableError) return fax;
    throw error;
  }
}
