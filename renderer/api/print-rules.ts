import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type Printout as PrintoutAnswer,
  type PrintRule as PrintRuleAnswer,
  printRulesRoutes,
} from '../../shared/api/print-rules.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import type { PrintState } from '../../shared/states/print-rules.ts';
import { access } from './access.ts';
import { origin } from './client.ts';
import type { List } from './lists/list.ts';
import type { IsBefore } from './lists/row-order.ts';
import { useList } from './lists/use-list.ts';
import { queryClient } from './queries.ts';

export type PrintRule = z.infer<typeof PrintRuleAnswer>;
export type Printout = z.infer<typeof PrintoutAnswer>;

/** Received faxes on paper. */
export const { printRules } = createRooms({ printRules: printRulesRoutes }, origin);

/** By name. They change without an event. */
export const printRulesQuery = queryOptions({
  queryKey: ['print-rules'],
  queryFn: async ({ signal }) => (await printRules.listPrintRules({ signal })).items,
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

/** Mailboxes whose faxes a rule can print. */
export const printableMailboxesQuery = queryOptions({
  queryKey: ['print-rules', 'mailboxes'],
  queryFn: async ({ signal }) =>
    (await access.mailboxes.listMailboxes({ query: { limit: 200 }, signal })).items,
});

/** Every query below this is read again when a printout changed. */
const PRINTOUTS = 'printouts';
/** A fax matches a rule or a few. */
const MAX_PER_FAX = 50;
/** Others follow as these are decided. */
const MAX_TO_CHECK = 50;

/** Printouts of a fax, newest first. */
export const printoutsOfFaxQuery = (faxId: string) =>
  queryOptions({
    queryKey: [PRINTOUTS, 'fax', faxId],
    queryFn: async ({ signal }) =>
      (await printRules.listPrintouts({ query: { fax_id: faxId, limit: MAX_PER_FAX }, signal })).items,
    staleTime: 0,
  });

/** The newest one of a rule; null before its first. */
export const lastPrintoutQuery = (ruleId: string) =>
  queryOptions({
    queryKey: [PRINTOUTS, 'rule', ruleId],
    queryFn: async ({ signal }) =>
      (await printRules.listPrintouts({ query: { rule_id: ruleId, limit: 1 }, signal })).items[0] ?? null,
    staleTime: 0,
  });

/** One by its id; null when there is none. */
export const printoutQuery = (id: string) =>
  queryOptions({
    queryKey: [PRINTOUTS, 'one', id],
    queryFn: async ({ signal }) =>
      (await printRules.listPrintouts({ query: { ids: id, limit: 1 }, signal })).items[0] ?? null,
    staleTime: 0,
  });

/** Printouts that a person has to decide about, newest first, and how many there are. */
export const printoutsToCheckQuery = queryOptions({
  queryKey: [PRINTOUTS, 'to-check'],
  queryFn: async ({ signal }) => {
    const query = { state: 'doubtful,failed', limit: MAX_TO_CHECK } as const;
    const { items, counts } = await printRules.listPrintouts({ query, signal });
    return { items, count: counts.doubtful + counts.failed };
  },
  staleTime: 0,
});

/** Number of printouts in each state. */
export const printoutCountsQuery = queryOptions({
  queryKey: [PRINTOUTS, 'counts'],
  queryFn: async ({ signal }) => (await printRules.listPrintouts({ query: { limit: 1 }, signal })).counts,
  staleTime: 0,
});

const newestFirst: IsBefore<Printout> = (row, other) =>
  row.recorded_at > other.recorded_at || (row.recorded_at === other.recorded_at && row.id > other.id);

/** Printouts in a state, or all for null; newest first and kept up to date. */
export function usePrintouts(state: PrintState | null): List<Printout> {
  const filter = state === null ? {} : { state };
  return useList({
    key: ['printout-list', state],
    read: (request, signal) => printRules.listPrintouts({ query: { ...filter, ...request }, signal }),
    live: {
      kind: 'printout.changed',
      isUnfiltered: state === null,
      isBefore: newestFirst,
      fetchRows: async (ids, underFilter) => {
        const asked = { ...(underFilter && filter), ids: ids.join(), limit: ids.length };
        return (await printRules.listPrintouts({ query: asked })).items;
      },
    },
  });
}

/** Reads printouts again after a change of one's own, before its event comes. */
export function printoutsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [PRINTOUTS] });
}
