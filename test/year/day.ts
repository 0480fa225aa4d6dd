import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_KEY } from '../bench/bench-key.ts';
import { faxRequest } from '../bench/fax-upload.ts';
import { Load, type LoadRequest } from '../bench/load.ts';
import { smallLetter } from './small-letter.ts';
import { advance, ask, DAY_MS, type Progress, type ProviderTotals, PUBLIC_URL, type World } from './world.ts';

/** Recipients of sent faxes. */
const RECIPIENTS = 20_000;
/** Work items of a day that nobody finishes. */
const LEFT_OPEN = 2;
const QUARTERS = 4;
/** Maximum time of a day without progress. */
const STUCK_MS = 120_000;

interface Traffic {
  readonly sent: number;
  readonly received: number;
}

/** Results of a day. */
export interface DayResult {
  readonly seconds: number;
  /** Accepting beside what is received and finished. Faxes a second. */
  readonly acceptRate: number;
  readonly finished: number;
  /** Size of the write-ahead log at the end; 0 with PostgreSQL. */
  readonly walMb: number;
}

/**
 * Plays one day of an office, which sends, receives and finishes work at the same time, and moves the clock to the next; each
 * fax of the day has ended by then.
 */
export async function playDay(world: World, before: Progress, traffic: Traffic): Promise<DayResult> {
  const began = performance.now();
  const url = world.gateway.ready.url;
  const totals = () => world.provider.call<ProviderTotals>('totals');
  const { ended } = await totals();
  const load = new Load(url);
  const arrival = { url, publicUrl: PUBLIC_URL, count: traffic.received, first: before.received };
  const [acceptRate, finished] = await Promise.all([
    load.sendAll(traffic.sent, letterRequest(before.sent)),
    finishWork(world, traffic.received),
    world.provider.call('arrive', arrival),
  ]);
  load.close();
  await waitFor(async () => (await totals()).ended - ended, traffic.sent, 'sent faxes ended');
  const open = before.received + traffic.received - before.finished - finished;
  await waitFor(() => countOpen(world), open, 'work items open');
  await world.provider.call('forget');
  const seconds = (performance.now() - began) / 1000;
  const leftMs = DAY_MS - seconds * 1000;
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    await advance(world, leftMs / QUARTERS);
    // A request each, so that work which became due is seen by the gateway.
    await ask(world, '/health/ready');
  }
  return { seconds, acceptRate, finished, walMb: await walMb(world.dataFolder) };
}

const DIGITS = 8;

/** One small letter; each has a document of its own, to one of the recipients in turn. */
function letterRequest(first: number): LoadRequest {
  const { variesAt: documentAt = 0, ...rest } = faxRequest(smallLetter(), BENCH_KEY, { different: true });
  const body = rest.body ?? Buffer.alloc(0);
  const numberAt = body.indexOf('+12025550123') + '+1202'.length;
  let next = first;
  return {
    ...rest,
    change(bytes, bodyAt) {
      bytes.write(String(2_000_000 + (next % RECIPIENTS)), bodyAt + numberAt, 'latin1');
      bytes.write(String(next).padStart(DIGITS, '0'), bodyAt + documentAt, 'latin1');
      next += 1;
    },
  };
}

async function countOpen(world: World): Promise<number> {
  return (await ask<{ unassigned: number }>(world, '/work/counts')).unassigned;
}

interface WorkPage {
  readonly items: readonly { id: string; version: number }[];
  readonly next_cursor: string | null;
}

/** Finishes as many work items as came that day but a few, first due first, so that some stay open each day. */
async function finishWork(world: World, received: number): Promise<number> {
  const wanted = received - Math.min(LEFT_OPEN, received);
  let finished = 0;
  await waitFor(
    async () => {
      finished += await finishOpen(world, wanted - finished);
      return finished;
    },
    wanted,
    'work items finished',
  );
  return finished;
}

async function finishOpen(world: World, most: number): Promise<number> {
  const { items } = await ask<WorkPage>(world, '/work?view=unassigned&limit=100');
  const chosen = items.slice(0, most);
  if (chosen.length === 0) return 0;
  await ask(world, '/work', {
    action: 'done',
    note: 'Filed in the chart',
    items: chosen.map(({ id, version }) => ({ id, version })),
  });
  return chosen.length;
}

/** Waits until `count` reaches `wanted`; throws when it does not go on. */
async function waitFor(count: () => Promise<number>, wanted: number, what: string): Promise<void> {
  let [reached, since] = [-1, performance.now()];
  for (;;) {
    const now = await count();
    if (now >= wanted) return;
    if (now > reached) [reached, since] = [now, performance.now()];
    if (performance.now() - since > STUCK_MS) throw new Error(`${now} of ${wanted} ${what}`);
    if (now === reached) await pause(20);
  }
}

async function walMb(dataFolder: string): Promise<number> {
  const size = await stat(join(dataFolder, 'faxdesk.sqlite-wal')).then(
    (file) => file.size,
    () => 0,
  );
  return Math.round(size / 1e6);
}
