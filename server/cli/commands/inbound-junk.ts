import type { Command } from 'commander';
import { action } from '../command.ts';
import { describeInbound } from '../inbound-words.ts';
import { facts, table } from '../terminal.ts';

/** Adds the commands about blocked senders, and about the faxes in Junk. */
export function addJunkCommands(inbound: Command): void {
  inbound
    .command('blocked')
    .description('List blocked senders, most recent first.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).junk.blockedSenders(), ({ items }) =>
          table(
            ['NUMBER', 'CONTACT', 'BLOCKED', 'BY', 'FAXES IN JUNK'],
            items.map((it) => [
              it.number,
              it.contact?.name ?? null,
              it.blocked_at,
              it.blocked_by,
              it.junk_faxes,
            ]),
          ),
        );
      }),
    );
  inbound
    .command('block')
    .description('Block a sender for the whole office; its faxes are received and go to Junk.')
    .argument('<number or id>', 'number of the sender, or id of one of its faxes, which goes to Junk as well')
    .option('--even-if-known', 'also block a contact’s number or one of your own numbers')
    .action(
      action<{ evenIfKnown?: true }>(async ({ options, client, answer }, sender = '') => {
        const of = isNumber(sender) ? { number: sender } : { fax_id: sender };
        const body = { ...of, even_if_known: options.evenIfKnown ?? false };
        answer(await (await client()).junk.blockSender({ body }), ({ sender: blocked, was_blocked, fax }) =>
          facts([
            [was_blocked ? 'Blocked before' : 'Blocked', blocked.number],
            ['Contact', blocked.contact?.name ?? null],
            ['Moved to Junk', fax?.id ?? null],
          ]),
        );
      }),
    );
  inbound
    .command('unblock')
    .description('Unblock a sender.')
    .argument('<number>')
    .option('--bring-back', 'return its faxes from Junk to the work queue')
    .action(
      action<{ bringBack?: true }>(async ({ options, client, answer }, number = '') => {
        const query = { bring_back: options.bringBack && ('true' as const) };
        answer(await (await client()).junk.unblockSender({ params: { number }, query }), (done) =>
          facts([
            [done.was_blocked ? 'Unblocked' : 'Was not blocked', done.number],
            ['Returned from Junk', done.brought_back],
            ['Still in Junk', done.junk_faxes],
          ]),
        );
      }),
    );
  inbound
    .command('not-junk')
    .description('Take a received fax out of Junk, back into the work queue.')
    .argument('<id>')
    .option('--unblock', 'also unblock its sender')
    .action(
      action<{ unblock?: true }>(async ({ options, client, answer }, id = '') => {
        const body = { unblock: options.unblock ?? false };
        answer(await (await client()).junk.notJunk({ params: { id }, body }), describeInbound);
      }),
    );
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** Returns true for a number as people write it. */
function isNumber(text: string): boolean {
  return /^[+\d\s().\-/]+$/u.test(text) && !ID.test(text);
}
