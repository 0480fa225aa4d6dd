import { setTimeout as pause } from 'node:timers/promises';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { Figure } from './figure.ts';
import { type LineGateway, openLineGateway } from './line-gateway.ts';

const LINES = 30;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 90);
const IDLE_SECONDS = 15;
/** With ringing and training a call of one page takes 19 to 29 seconds. */
const PAGE_MS = 20_000;
const SHORTEST_CALL_SECONDS = 19;
/** Calls have begun at the same moment; by then they have not. */
const MIXED_SECONDS = 30;
const MAX_SHARE = 0.5;

/** Thirty lines of a trunk with more faxes waiting than they can take: how busy the lines are, and the gateway. */
export async function run(): Promise<Figure[]> {
  const gateway = await openLineGateway({ lines: LINES, pageMs: PAGE_MS });
  try {
    await pause(5_000);
    const idle = await measureLoad(gateway, IDLE_SECONDS);
    await gateway.send(letters(LINES * Math.ceil((SECONDS + MIXED_SECONDS) / SHORTEST_CALL_SECONDS + 2)));
    while ((await gateway.figures()).live < LINES) await pause(100);
    await pause(MIXED_SECONDS * 1_000);
    const busy = await measureLoad(gateway, SECONDS);
    if ((await gateway.waiting()) === 0) throw new Error('the waiting faxes did not last');
    const faxes = `${((busy.ended * 60) / SECONDS).toFixed(0)} faxes a minute`;
    return [
      {
        name: `${LINES} lines with faxes waiting: time that a line is in a call`,
        ratio: Number(busy.share.toFixed(3)),
        bar: 0.97,
        unit: 'of all line-time',
        detail: `${faxes}, calls of ${SHORTEST_CALL_SECONDS} to 29 s`,
      },
      {
        name: `${LINES} busy lines: processor of the gateway`,
        ratio: Number(busy.core.toFixed(2)),
        bar: MAX_SHARE,
        atMost: true,
        unit: 'of one core',
        detail: `${faxes}, ${((busy.core * SECONDS * 1000) / busy.ended).toFixed(0)} ms a fax; idle ${idle.core.toFixed(3)} of one core`,
      },
    ];
  } finally {
    await gateway.close();
  }
}

interface LoadFigures {
  /** Processor time of the gateway in parts of one core. */
  readonly core: number;
  /** Time in calls in parts of all line-time. */
  readonly share: number;
  readonly ended: number;
}

async function measureLoad(gateway: LineGateway, seconds: number): Promise<LoadFigures> {
  const look = async () => [performance.now(), await gateway.processorMs(), await gateway.figures()] as const;
  const [began, processor, before] = await look();
  await pause(seconds * 1_000);
  const [ended, processorThen, after] = await look();
  const ms = ended - began;
  return {
    core: (processorThen - processor) / ms,
    share: (after.busyMs - before.busyMs) / (ms * LINES),
    ended: after.ended - before.ended,
  };
}

/** None like another. */
function letters(count: number): Uint8Array[] {
  const letter = textPdf(1);
  return Array.from({ length: count }, (_, i) => Buffer.concat([letter, Buffer.from(`\n% ${i}\n`)]));
}
