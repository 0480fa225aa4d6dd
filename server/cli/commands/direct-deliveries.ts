import type { Command } from 'commander';
import type { z } from 'zod';
import type { DirectDeliveryItem } from '../../../shared/api/direct-deliveries.ts';
import { DIRECT_DELIVERY_STATES, DIRECT_DIRECTIONS } from '../../../shared/states/direct.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { table } from '../terminal.ts';

type Item = z.infer<typeof DirectDeliveryItem>;

interface DeliveriesOptions extends PageOptions {
  readonly direction?: Item['direction'];
  readonly state?: string;
  readonly partner?: string;
}

/** Adds `faxdesk direct deliveries`. */
export function addDirectDeliveriesCommand(direct: Command): void {
  const list = direct
    .command('deliveries')
    .description('List documents exchanged directly with partners, newest first.')
    .addOption(choiceOption('--direction <direction>', DIRECT_DIRECTIONS))
    .option('--state <states>', `one or more of ${DIRECT_DELIVERY_STATES.join(', ')}, separated by commas`)
    .option('--partner <id>', 'only those of the partner with this id');
  addPagingOptions(list).action(
    action<DeliveriesOptions>(async ({ options, client, answer }) => {
      const { direction, state, partner: partner_id, limit, cursor } = options;
      const query = { direction, state, partner_id, limit, cursor };
      answer(await (await client()).direct.listDeliveries({ query }), (page) =>
        page.items.length === 0
          ? 'No documents were exchanged directly.'
          : appendNextPage(table(HEAD, page.items.map(rowOf)), page),
      );
    }),
  );
}

const HEAD = ['AT', 'DIRECTION', 'PARTNER', 'STATE', 'FAX', 'MESSAGE', 'SENTENCE'];

const rowOf = ({ created_at, direction, partner, state, job_id, inbound_id, message_id, status }: Item) => [
  created_at,
  direction,
  partner,
  state,
  job_id ?? inbound_id,
  message_id,
  status,
];
