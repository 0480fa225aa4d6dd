import { seededRandom } from '../fixtures/seeded-random.ts';
import { type AmiCall, startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { childOptions, serveCalls } from './child.ts';

interface LineEngineOptions {
  /** Maximum time of a page, in ms; the quickest calls take half of it. */
  readonly pageMs: number;
}

export interface LineEngineReady {
  readonly port: number;
  readonly password: string;
}

/** Since the start. */
export interface LineFigures {
  /** All calls together, from the order to the end. */
  readonly busyMs: number;
  readonly ended: number;
  /** At this moment. */
  readonly live: number;
}

const TICK_MS = 50;
/** From the order of a call until each of these. */
const ANSWERED_MS = 3_000;
const TALKING_MS = 5_000;
const FIRST_PAGE_MS = 9_000;

// The telephone engine in a process of its own. Every call is answered and goes through, each at its own pace.
const { pageMs } = childOptions() as LineEngineOptions;
const engine = await startAmiEmulator(() => Date.now());
const random = seededRandom(30);
const begun = new Map<string, { readonly at: number; readonly pageMs: number }>();
let busyMs = 0;
let ended = 0;
let last = Date.now();

function advanceCall(call: AmiCall, now: number): void {
  const known = begun.get(call.id) ?? { at: now, pageMs: pageMs * (0.5 + random() / 2) };
  begun.set(call.id, known);
  const since = now - known.at;
  if (since >= ANSWERED_MS && call.state !== 'Up') engine.answer(call.id);
  call.hasSession = since >= TALKING_MS;
  call.page = since < FIRST_PAGE_MS ? 0 : 1 + Math.floor((since - FIRST_PAGE_MS) / known.pageMs);
  if (call.page <= Number(call.variables['FAXDESK_PAGES'])) return;
  engine.deliver(call.id);
  begun.delete(call.id);
  ended += 1;
}

const ticking = setInterval(() => {
  const now = Date.now();
  busyMs += engine.live.size * (now - last);
  last = now;
  for (const call of engine.live.values()) advanceCall(call, now);
  engine.actions.length = 0;
}, TICK_MS);

serveCalls({ port: engine.port, password: engine.account.password } satisfies LineEngineReady, {
  figures: (): LineFigures => ({ busyMs, ended, live: engine.live.size }),
  stop: async () => {
    clearInterval(ticking);
    await engine.close();
  },
});
