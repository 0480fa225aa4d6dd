import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import { faxRequest, letterPdf } from './fax-upload.ts';
import type { Figure } from './figure.ts';
import type { GatewayReady, Memory } from './gateway-process.ts';
import { Load, type LoadRequest } from './load.ts';

const FAXES = 1_000;
/** By then the caches are full: what is added later stays. */
const SETTLED = 5_000;
const MORE = 2_000;
/** Past the time of the first poll. */
const FIRST_POLL_MS = 31_000;
const MAX_POLLS = 200;

/** Memory after 1,000 faxes were accepted, sent and polled to their end, against before; and whether it ever ends to grow. */
export async function run(): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const { environment } = emulator.ready;
  const gateway = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment }, [
    '--expose-gc',
  ]);
  const load = new Load(gateway.ready.url);
  const look = () => gateway.call<Memory>('memory');
  // The document process ends after a while without work: it would be in one figure and not in another.
  const lookWithoutDocuments = async (): Promise<Memory> => {
    while ((await gateway.call<number>('documentsPeakBytes')) > 0) await pause(1_000);
    return look();
  };
  try {
    const shot = faxRequest(await letterPdf(), BENCH_KEY, { different: true });
    let sent = 0;
    const sendUntil = async (total: number, measure = look): Promise<Memory> => {
      await sendToTheEnd({ load, shot, gateway, emulator }, total - sent, total);
      sent = total;
      return measure();
    };
    return figuresOf({
      // With the first, the process of documents is there.
      idle: await sendUntil(1),
      after: await sendUntil(FAXES),
      settled: await sendUntil(SETTLED, lookWithoutDocuments),
      late: await sendUntil(SETTLED + MORE, lookWithoutDocuments),
    });
  } finally {
    load.close();
    await gateway.stop();
    await emulator.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

function figuresOf({
  idle,
  after,
  settled,
  late,
}: Record<'idle' | 'after' | 'settled' | 'late', Memory>): Figure[] {
  const mb = (memory: Memory) => `${(memory.rss / 1e6).toFixed(0)} MB`;
  const ratio = (value: Memory, reference: Memory) => Number((value.rss / reference.rss).toFixed(2));
  return [
    {
      name: 'memory after 1,000 faxes',
      ratio: ratio(after, idle),
      // The second document thread comes with the work.
      bar: 2,
      atMost: true,
      unit: 'of idle',
      detail: `${mb(after)}, idle ${mb(idle)} with one document thread`,
    },
    {
      name: 'memory after 7,000 faxes',
      ratio: ratio(late, settled),
      bar: 1.1,
      atMost: true,
      unit: 'of that after 5,000',
      detail: `${mb(late)}, ${mb(settled)} after 5,000; ${((late.heapUsed - settled.heapUsed) / MORE).toFixed(0)} bytes a fax in the heap`,
    },
  ];
}

async function sendToTheEnd(
  parts: { load: Load; shot: LoadRequest; gateway: Child<GatewayReady>; emulator: Child<unknown> },
  count: number,
  total: number,
): Promise<void> {
  const { load, shot, gateway, emulator } = parts;
  await load.sendAll(count, shot);
  while ((await emulator.call<number>('completeAll')) < total) await pause(200);
  for (let tried = 0; (await countOf(load, 'success')) < total; tried += 1) {
    if (tried === MAX_POLLS) throw new Error('the faxes did not come to their end');
    await emulator.call('completeAll');
    await gateway.call('advance', FIRST_POLL_MS);
    await pause(1_000);
  }
}

async function countOf(load: Load, state: string): Promise<number> {
  const headers = { 'X-API-Key': BENCH_KEY };
  const text = String(await load.sendOne({ method: 'GET', path: '/metrics', headers, expect: 200 }));
  return Number(new RegExp(`^faxdesk_faxes\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
