import type { z } from 'zod';
import type { TelephonyCall } from '../../shared/api/telephony-calls.ts';
import type { List } from './lists/list.ts';
import type { IsBefore } from './lists/row-order.ts';
import { useList } from './lists/use-list.ts';
import { telephony } from './telephony.ts';

export type Call = z.infer<typeof TelephonyCall>;

const newestFirst: IsBefore<Call> = (row, other) =>
  row.recorded_at > other.recorded_at || (row.recorded_at === other.recorded_at && row.id > other.id);

/** The calls over the phone line, newest first, kept up to date. */
export function useCalls(): List<Call> {
  return useList({
    key: ['calls'],
    read: (request, signal) => telephony.listTelephonyCalls({ query: request, signal }),
    live: {
      kind: 'call.changed',
      isUnfiltered: true,
      isBefore: newestFirst,
      fetchRows: async (ids) =>
        (await telephony.listTelephonyCalls({ query: { ids: ids.join(), limit: ids.length } })).items,
    },
  });
}
