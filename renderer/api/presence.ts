import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { presenceRoutes } from '../../shared/api/presence.ts';
import type { AnswerOf } from '../../shared/api/route.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { client, origin } from './client.ts';
import { readAgain } from './newest.ts';
import { queryClient, sessionMayHaveEnded, useMe, usePermission } from './queries.ts';
import { useConnection } from './use-connection.ts';

type Presence = AnswerOf<typeof presenceRoutes.listPresence>;
type PersonAtFax = Presence['faxes'][number]['people'][number];

/** Time for which a fax is open before it is reported, so that skimming past is not. */
const OPEN_MS = 700;
const REPORT_INTERVAL_MS = 10_000;
/** Time without any input after which the person counts as away. */
const IDLE_MS = 120_000;
/** Many people may move at a time. */
const READ_INTERVAL_MS = 1_000;
const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const NOBODY: readonly PersonAtFax[] = [];

const presenceQuery = queryOptions({
  queryKey: ['presence'],
  queryFn: ({ signal }) => client.presence.listPresence({ signal }),
});

/** Returns the other people who have the fax open, whoever came first on top; none while the gateway is away. */
export function usePeopleAt(faxId: string): readonly PersonAtFax[] {
  const mayRead = usePermission('inbound:read');
  const isPerson = useMe()?.principal.kind === 'user';
  const isConnected = useConnection().lostSince === null;
  const people = useQuery({
    ...presenceQuery,
    enabled: mayRead && isPerson,
    select: ({ faxes }) => faxes.find(({ id }) => id === faxId)?.people,
  }).data;
  return (isConnected && people) || NOBODY;
}

/** Reports that this window has the fax open, while the component is there and the person is not away. */
export function useReportOpen(faxId: string): void {
  const mayRead = usePermission('inbound:read');
  const isPerson = useMe()?.principal.kind === 'user';
  useEffect(() => {
    if (!mayRead || !isPerson) return;
    setOpen(faxId);
    return () => setOpen(null);
  }, [faxId, mayRead, isPerson]);
}

let reading: ReturnType<typeof setTimeout> | null = null;

/** Reads who is where again, at most once in a second. */
export function presenceChanged(): void {
  reading ??= setTimeout(() => {
    reading = null;
    readAgain(queryClient, { queryKey: presenceQuery.queryKey });
  }, READ_INTERVAL_MS);
}

/** Reports also while the window closes. */
const closingClient = createRooms(
  { presence: presenceRoutes },
  { ...origin, fetch: (address, init) => fetch(address, { ...init, keepalive: true }) },
);

/** Name of this window; random, because a reload is another one. */
const windowName = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');

let open: string | null = null;
let reported: string | null = null;
let activeAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function setOpen(faxId: string | null): void {
  open = faxId;
  activeAt = Date.now();
  plan(OPEN_MS);
}

function plan(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void report(), ms);
}

/** Reports what is open now; null after the person left it or is away. */
async function report(): Promise<void> {
  const isAway = Date.now() - activeAt >= IDLE_MS;
  const faxId = isAway ? null : open;
  if (faxId === null && reported === null) return;
  reported = faxId;
  if (faxId !== null) plan(REPORT_INTERVAL_MS);
  try {
    const answer = await closingClient.presence.reportPresence({
      body: { window: windowName, fax_id: faxId },
    });
    queryClient.setQueryData(presenceQuery.queryKey, answer);
  } catch (error) {
    // The next report may arrive, and the gateway forgets a window without any.
    sessionMayHaveEnded(error);
  }
}

function leave(): void {
  open = null;
  void report();
}

function noteActivity(): void {
  activeAt = Date.now();
  if (open !== null && reported === null) plan(OPEN_MS);
}

for (const event of ACTIVITY) addEventListener(event, noteActivity, { passive: true, capture: true });
addEventListener('pagehide', leave);
