import { type Command, Option } from 'commander';
import type { z } from 'zod';
import type { MailDelivery } from '../../../shared/api/intake.ts';
import {
  MAIL_CONFIRM_OUTCOMES,
  MAIL_STATE_TEXT,
  MAIL_STATES,
  type MailConfirmOutcome,
} from '../../../shared/states/intake.ts';
import { action } from '../command.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { facts, table } from '../terminal.ts';
import { parseVersionOption } from '../version-option.ts';

type Delivery = z.infer<typeof MailDelivery>;

export function addDeliveriesCommands(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('Manage e-mails with received faxes, and confirm those that need a check.');
  addList(deliveries);
  addRetry(deliveries);
  addConfirm(deliveries);
}

interface ListOptions extends PageOptions {
  readonly state?: string;
  readonly fax?: string;
}

function addList(deliveries: Command): void {
  const list = deliveries
    .command('list')
    .description('List e-mail deliveries, newest first, with the state of each recipient.')
    .option('--state <states>', `one or more of ${MAIL_STATES.join(', ')}, separated by commas`)
    .option('--fax <id>', 'only deliveries of this received fax');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { state, fax: fax_id, limit, cursor } = options;
      const query = { state, fax_id, limit, cursor };
      answer(await (await client()).intake.listDeliveries({ query }), (page) => {
        const rows = page.items.flatMap(rowsOf);
        return rows.length === 0 ? 'No e-mail deliveries.' : appendNextPage(table(HEAD, rows), page);
      });
    }),
  );
}

const HEAD = ['TIME', 'CONNECTOR', 'RECIPIENT', 'RECIPIENT STATE', 'STATE', 'ID'];

/** One for each recipient. */
function rowsOf({ id, connector, recipients, state, recorded_at }: Delivery): string[][] {
  return recipients.map((one) => [
    one.at ?? recorded_at,
    connector.name,
    one.address,
    one.state,
    MAIL_STATE_TEXT[state],
    id,
  ]);
}

function addRetry(deliveries: Command): void {
  deliveries
    .command('retry')
    .description('Send a failed or waiting e-mail now. No one gets it twice.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).intake.retryDelivery({ params: { id } }), describe);
      }),
    );
}

function addConfirm(deliveries: Command): void {
  const outcome = new Option(
    '--outcome <outcome>',
    'the answer of its recipients; an e-mail that did not arrive is sent again',
  );
  deliveries
    .command('confirm')
    .description('Confirm whether an e-mail that needs a check arrived.')
    .argument('<id>')
    .addOption(outcome.choices(MAIL_CONFIRM_OUTCOMES).makeOptionMandatory())
    .option('--if-version <n>', 'the version last seen; if left out, the current one')
    .action(
      action<{ outcome: MailConfirmOutcome; ifVersion?: string }>(
        async ({ options, client, answer }, id = '') => {
          const { intake } = await client();
          const version = parseVersionOption(options.ifVersion) ?? (await currentVersion(intake, id));
          const body = { outcome: options.outcome, version };
          answer(await intake.confirmDelivery({ params: { id }, body }), describe);
        },
      ),
    );
}

/** Of an unknown delivery any: the gateway says then that there is none. */
async function currentVersion(
  intake: { listDeliveries(input: { query: { ids: string } }): Promise<{ items: readonly Delivery[] }> },
  id: string,
): Promise<number> {
  const { items } = await intake.listDeliveries({ query: { ids: id } });
  return items[0]?.version ?? 1;
}

function describe(delivery: Delivery): string {
  const { id, version, fax_id, connector, state, sentence, recipients, retry_at } = delivery;
  return facts([
    ['Delivery', id],
    ['Received fax', fax_id],
    ['Connector', connector.name],
    ['State', MAIL_STATE_TEXT[state]],
    ['Version', version],
    ['Problem', sentence],
    ['Next attempt', retry_at],
    ['Recipients', recipients.map(({ address, state: its }) => `${address} (${its})`).join(', ')],
  ]);
}
