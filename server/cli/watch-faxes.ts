import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../shared/client/index.ts';
import { type Fax, STATE_WORDS } from './fax-words.ts';
import { type FaxChanges, followFaxChanges, isWaitedFor } from './follow-changes.ts';
import { type LiveScreen, openLiveScreen } from './live-screen.ts';
import { oneLine, table, terminal } from './terminal.ts';

/** Filter of the list, as `jobs list` has it. */
interface WatchFilter {
  readonly state?: string | undefined;
  readonly to?: string | undefined;
  readonly q?: string | undefined;
}

/** Most ids and rows that one request may have. */
const LIMIT = 200;
/** Versions that are remembered, so that no change is printed twice. */
const MAX_KNOWN = 5_000;
const RETRY_MS = 2_000;
/** Lines around the list on a terminal: the title, the head, and one that stays empty. */
const FRAME_LINES = 4;

/** Shows the sent faxes that match as they change, until Ctrl-C. */
export async function watchFaxes(client: Client, filter: WatchFilter, asJson: boolean): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.on('SIGINT', interrupt);
  let screen: LiveScreen | null = null;
  try {
    const { signal } = interrupted;
    // Read first, so that no change between the list and the first event is missed.
    const { next } = await client.console.changes({ signal });
    const list = (query: object, limit: number) =>
      client.outbound.listFaxes({ query: { ...filter, ...query, limit }, signal });
    const { items } = await list({}, LIMIT);
    screen = asJson ? null : openLiveScreen();
    const shown = screen === null ? createLines(items, list, asJson) : createTable(screen, items, list);
    const changes = followFaxChanges(client, {
      signal,
      after: next,
      onConnection: (isConnected) => shown.connection(isConnected),
    });
    for await (const change of changes) await showChange(shown, change, signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
  } finally {
    screen?.close();
    process.off('SIGINT', interrupt);
  }
}

type ListFaxes = (query: object, limit: number) => Promise<{ items: Fax[] }>;

interface Shown {
  changed(change: FaxChanges): Promise<void>;
  connection(isConnected: boolean): void;
}

/** Shows a change; while the gateway does not answer, tries again. */
async function showChange(shown: Shown, change: FaxChanges, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await shown.changed(change);
    } catch (error) {
      if (signal.aborted || !isWaitedFor(error)) throw error;
      shown.connection(false);
      await pause(RETRY_MS, undefined, { signal });
    }
  }
}

/** One line for each change, for programs and files. */
function createLines(items: readonly Fax[], list: ListFaxes, asJson: boolean): Shown {
  const versions = new Map(items.map(({ id, delivery_version }) => [id, delivery_version]));
  let isConnected = true;
  const print = (fax: Fax) => {
    if ((versions.get(fax.id) ?? 0) >= fax.delivery_version) return;
    versions.delete(fax.id);
    versions.set(fax.id, fax.delivery_version);
    const [oldest] = versions.keys();
    if (versions.size > MAX_KNOWN && oldest !== undefined) versions.delete(oldest);
    terminal.print(asJson ? JSON.stringify(fax) : lineOf(fax));
  };
  return {
    async changed({ ids }) {
      const parts = ids === null ? [{}] : chunks(ids).map((some) => ({ ids: some.join(',') }));
      for (const query of parts) for (const fax of (await list(query, LIMIT)).items.toReversed()) print(fax);
    },
    connection(now) {
      if (now === isConnected) return;
      isConnected = now;
      terminal.note(now ? 'Connected again.' : 'Not connected. Trying again.');
    },
  };
}

function lineOf({ id, to, delivery_state, updated_at, error }: Fax): string {
  const parts = [updated_at, id, to, STATE_WORDS[delivery_state], ...(error ? [error] : [])];
  return oneLine(parts.join('  '));
}

function chunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / LIMIT);
  return Array.from({ length: count }, (_, at) => ids.slice(at * LIMIT, (at + 1) * LIMIT));
}

const HEAD = ['ID', 'ACCEPTED', 'TO', 'STATE', 'PAGES', 'DOCUMENT'];

/** The newest faxes that fit on the terminal, drawn again after each change. */
function createTable(screen: LiveScreen, first: readonly Fax[], list: ListFaxes): Shown {
  let items = first;
  let isLost = false;
  const draw = () => {
    const title = isLost ? 'Not connected. Trying again' : 'Sent faxes, as they change';
    const rows = items
      .slice(0, Math.max(1, screen.rows - FRAME_LINES))
      .map((fax) => [
        fax.id,
        fax.created_at,
        fax.to,
        STATE_WORDS[fax.delivery_state],
        fax.document.pages,
        fax.document.file_name,
      ]);
    const body = rows.length === 0 ? ['No faxes match.'] : table(HEAD, rows).split('\n');
    screen.draw([`${title}. Ctrl-C ends.`, '', ...body]);
  };
  draw();
  return {
    async changed() {
      ({ items } = await list({}, Math.min(LIMIT, Math.max(1, screen.rows))));
      draw();
    },
    connection(isConnected) {
      if (isConnected !== isLost) return;
      isLost = !isConnected;
      draw();
    },
  };
}
