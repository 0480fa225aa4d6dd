import type { Command } from 'commander';
import type { z } from 'zod';
import type { TelephonyCall } from '../../../shared/api/telephony-calls.ts';
import { CALL_DIRECTIONS, CALL_OUTCOMES, type CallDirection } from '../../../shared/states/telephony.ts';
import { action } from '../command.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { parseTime } from '../parse-time.ts';
import { table } from '../terminal.ts';

type Call = z.infer<typeof TelephonyCall>;

interface Options extends PageOptions {
  readonly direction?: CallDirection;
  readonly number?: string;
  readonly outcome?: string;
  readonly since?: string;
  readonly until?: string;
}

export function addCallLog(telephony: Command): void {
  const log = telephony
    .command('call-log')
    .description('List the calls over the phone line, newest first. --json has every detail.')
    .option('--direction <direction>', CALL_DIRECTIONS.join(' or '))
    .option('--number <number>', 'number of the other side: with + and country code, or a national number')
    .option('--outcome <outcomes>', `one or more of ${CALL_OUTCOMES.join(', ')}, separated by commas`)
    .option('--since <time>', 'recorded at or after this time, e.g. 2026-11-22T08:00')
    .option('--until <time>', 'recorded before this time');
  addPagingOptions(log).action(
    action<Options>(async ({ options, client, answer }) => {
      const { direction, number, outcome, since, until, limit, cursor } = options;
      const query = {
        direction,
        number,
        outcome,
        since: since === undefined ? undefined : parseTime(since),
        until: until === undefined ? undefined : parseTime(until),
        limit,
        cursor,
      };
      answer(await (await client()).telephony.listTelephonyCalls({ query }), (page) =>
        page.items.length === 0 ? 'No calls.' : appendNextPage(table(HEAD, page.items.map(rowOf)), page),
      );
    }),
  );
}

const HEAD = ['TIME', 'DIRECTION', 'NUMBER', 'RESULT', 'PAGES', 'HOW', 'SECONDS'];

function rowOf(call: Call): (string | number | null)[] {
  const at = call.started_at ?? call.answered_at ?? call.ended_at ?? call.recorded_at;
  const { direction, number, sentence, seconds } = call;
  return [at, direction, number, sentence, pagesOf(call), describeMode(call), seconds];
}

/** `2 of 3`, or how many came in. */
function pagesOf({ pages_sent: sent, pages_confirmed: confirmed }: Call): string | number | null {
  return sent === null || confirmed === null ? confirmed : `${confirmed} of ${sent}`;
}

function describeMode({ mode, ecm, rate_bps: rate }: Call): string {
  const parts = [
    mode === null ? [] : mode === 't38' ? 'T.38' : 'audio',
    ecm === null ? [] : ecm ? 'ECM' : 'no ECM',
    rate === null ? [] : `${rate} bit/s`,
  ];
  return parts.flat().join(', ');
}
