import type { z } from 'zod';
import type { broadcastsRoutes } from '../../../shared/api/broadcasts.ts';
import { isoTime } from '../../platform/clock.ts';
import { searchTerms } from '../../platform/search-text.ts';
import type { Caller } from '../access/service.ts';
import type { CoverRequest } from '../covers/types.ts';
import { cancelBroadcast, continueBroadcast, pauseBroadcast, retryBroadcast } from './changes.ts';
import type { GivenRecipients } from './check-recipients.ts';
import { type BroadcastOrder, createBroadcast, previewBroadcast } from './create.ts';
import { noSuchBroadcast } from './errors.ts';
import type { BroadcastsParts } from './parts.ts';
import { presentBroadcasts } from './present.ts';
import { csvReport, pdfReport } from './report.ts';
import { findBroadcast, findByRequest, listBroadcasts, listEvents } from './store/broadcast-store.ts';
import { listRecipients } from './store/recipient-store.ts';
import type { BroadcastAnswer, BroadcastRow, SentBroadcastAnswer } from './types.ts';
import { assertMay, visibleBroadcasts } from './visibility.ts';

type BroadcastPage = z.infer<(typeof broadcastsRoutes.listBroadcasts)['answer']['schema']>;
type BroadcastQuery = z.infer<(typeof broadcastsRoutes.listBroadcasts)['query']>;
type RecipientPage = z.infer<(typeof broadcastsRoutes.listRecipients)['answer']['schema']>;
type RecipientQuery = z.infer<(typeof broadcastsRoutes.listRecipients)['query']>;
type History = z.infer<(typeof broadcastsRoutes.broadcastHistory)['answer']['schema']>;

/** Sends one document to many recipients, and shows how that goes. Throws refusals. */
export interface BroadcastsService {
  /** Checks a list without recording anything. */
  preview(caller: Caller, given: GivenRecipients, cover: CoverRequest | null): Promise<SentBroadcastAnswer>;
  send(caller: Caller, order: BroadcastOrder): Promise<SentBroadcastAnswer>;
  /** Returns the broadcast that an earlier request with this key made. Throws a 404 refusal. */
  sentBefore(caller: Caller, requestKey: string): Promise<SentBroadcastAnswer>;
  list(caller: Caller, query: BroadcastQuery): Promise<BroadcastPage>;
  get(caller: Caller, id: string): Promise<BroadcastAnswer>;
  recipients(caller: Caller, id: string, query: RecipientQuery): Promise<RecipientPage>;
  history(caller: Caller, id: string): Promise<History>;
  /** Returns the report as a PDF. */
  report(caller: Caller, id: string): Promise<Uint8Array>;
  /** Returns the report as CSV. */
  csv(caller: Caller, id: string): Promise<string>;
  pause(caller: Caller, id: string): Promise<BroadcastAnswer>;
  continue(caller: Caller, id: string): Promise<BroadcastAnswer>;
  cancel(caller: Caller, id: string): Promise<BroadcastAnswer>;
  retry(caller: Caller, id: string): Promise<BroadcastAnswer>;
}

export function createBroadcastsService(parts: BroadcastsParts): BroadcastsService {
  const { db } = parts;
  const present = async (row: BroadcastRow) => {
    const [answer] = await presentBroadcasts(parts, [row]);
    return answer as BroadcastAnswer;
  };
  const seen = async (caller: Caller, id: string) =>
    assertMay(caller, 'fax:read', await findBroadcast(db.read, id));
  return {
    preview: (caller, given, cover) => previewBroadcast(parts, caller, given, cover),
    send: (caller, order) => createBroadcast(parts, caller, order),
    async sentBefore(caller, requestKey) {
      const row = await findByRequest(db.read, requestKey);
      if (!row) throw noSuchBroadcast();
      const broadcast = await present(assertMay(caller, 'fax:send', row));
      return { broadcast, recipients: row.recipients, left_out: 0, checked: [] };
    },
    async list(caller, { ids, q, scheduled, include_test, limit, cursor }) {
      const test = caller.isTest ? 'only' : include_test ? 'with' : 'without';
      const texts = q === undefined ? [] : searchTerms(q);
      const beginAfter = scheduled ? isoTime(parts.clock.now()) : undefined;
      const filter = {
        scope: visibleBroadcasts(caller),
        test,
        ids,
        texts,
        beginAfter,
        limit,
        cursor,
      } as const;
      const { items, next_cursor } = await listBroadcasts(db.read, filter);
      return { items: await presentBroadcasts(parts, items), next_cursor };
    },
    get: async (caller, id) => present(await seen(caller, id)),
    recipients: (caller, id, query) =>
      seen(caller, id).then((row) => recipientsOf(parts, caller, row, query)),
    async history(caller, id) {
      await seen(caller, id);
      const events = await listEvents(db.read, id);
      return { events: events.map(({ occurred_at: at, actor, text }) => ({ at, actor, text })) };
    },
    report: async (caller, id) => pdfReport(parts, caller, await seen(caller, id)),
    csv: async (caller, id) => csvReport(parts, await seen(caller, id)),
    pause: async (caller, id) => present(await pauseBroadcast(parts, caller, id)),
    continue: async (caller, id) => present(await continueBroadcast(parts, caller, id)),
    cancel: async (caller, id) => present(await cancelBroadcast(parts, caller, id)),
    retry: async (caller, id) => present(await retryBroadcast(parts, caller, id)),
  };
}

async function recipientsOf(
  { db, contacts }: BroadcastsParts,
  caller: Caller,
  { id }: BroadcastRow,
  { state, limit, cursor }: RecipientQuery,
): Promise<RecipientPage> {
  const page = await listRecipients(db.read, { broadcastId: id, states: state, limit, cursor });
  const names = await contacts.namesOf(
    caller,
    page.items.map(({ to_number }) => to_number),
  );
  const items = page.items.map(({ position, line, to_number: to, name, fields, ...row }) => ({
    position,
    line,
    to,
    name,
    contact: names.get(to) ?? null,
    fields: JSON.parse(fields) as Record<string, string>,
    state: row.state,
    reason: row.reason,
    fax_id: row.fax_id,
    updated_at: row.updated_at,
  }));
  return { items, next_cursor: page.next_cursor };
}
