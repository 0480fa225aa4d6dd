import { setTimeout as pause } from 'node:timers/promises';
import { childOptions, serveCalls } from '../bench/child.ts';
import { CloudoneEmulator } from '../setup/emulators/cloudone/emulator.ts';
import type { EmulatedFax } from '../setup/emulators/cloudone/fax-record.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { smallLetter } from './small-letter.ts';

/** Calls to the gateway at the same time, of sent and of received faxes each. */
const CALLBACKS = 16;
const LOOK_MS = 10;
/** Senders of received faxes. */
const SENDERS = 4_000;
/** One of so many sent faxes fails, as a line that is busy. */
const FAILS = 25;

interface Arrival {
  /** Address of the gateway. */
  readonly url: string;
  readonly publicUrl: string;
  readonly count: number;
  /** Number of the first one. */
  readonly first: number;
}

// The provider in a process of its own. It ends each fax at once, calls back, and forgets what has ended.
const { aheadMs } = childOptions() as { aheadMs: number };
let ahead = aheadMs;
let gateway: { readonly url: string; readonly publicUrl: string } | null = null;
const emulator = new CloudoneEmulator({
  apiKey: 'year-key',
  apiSecret: 'year-secret',
  callbackToken: 'year-token',
  clock: { now: () => Date.now() + ahead },
});
await emulator.open();
// An installation that is there already has the numbers of the days before, of which none has as many faxes as seconds.
emulator.state.nextFaxId = Math.floor((Date.now() + ahead) / 1000);

/** By the number that was called and the document: the same fax twice would count twice. */
const totals = { accepted: 0, ended: 0, failed: 0, refusedCallbacks: 0 };
const waiting: EmulatedFax[] = [];
const document = smallLetter();

serveCalls(
  {
    environment: {
      ...sendingSettings(emulator),
      CLOUDONE_API_KEY: 'year-key',
      CLOUDONE_API_SECRET: 'year-secret',
      CLOUDONE_CALLBACK_TOKEN: 'year-token',
    },
  },
  {
    connect: (address: { url: string; publicUrl: string }) => {
      gateway = address;
    },
    advance: (ms: number) => {
      ahead += ms;
    },
    totals: () => totals,
    arrive: async (arrival: Arrival) => {
      let next = 0;
      const work = async () => {
        for (; next < arrival.count; ) {
          const number = arrival.first + next;
          next += 1;
          await receiveOne(arrival, number);
        }
      };
      await Promise.all(Array.from({ length: CALLBACKS }, work));
    },
    forget: () => forget(),
    stop: () => emulator.close(),
  },
);
void endFaxes();

async function receiveOne({ url, publicUrl }: Arrival, number: number): Promise<void> {
  const fax = emulator.receive({
    from: `+1202${String(4_000_000 + (number % SENDERS))}`,
    to: '+12025550100',
    document,
  });
  const { attempts } = await emulator.sendCallback(String(fax.id), {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${publicUrl}/cloudone-inbound`,
    file: null,
  });
  if (attempts.at(-1)?.status !== 200) totals.refusedCallbacks += 1;
}

/** Ends accepted faxes and calls back, for as long as the process lives. */
async function endFaxes(): Promise<void> {
  const seen = new Set<EmulatedFax>();
  for (;;) {
    for (const fax of emulator.faxes.values()) {
      if (fax.direction !== 'sent' || seen.has(fax)) continue;
      seen.add(fax);
      waiting.push(fax);
    }
    await Promise.all(Array.from({ length: CALLBACKS }, () => endNext(seen)));
    trim();
    await pause(LOOK_MS);
  }
}

async function endNext(seen: Set<EmulatedFax>): Promise<void> {
  for (let fax = waiting.shift(); fax; fax = waiting.shift()) {
    totals.accepted += 1;
    const id = String(fax.id);
    const fails = totals.accepted % FAILS === 0;
    emulator.complete(id, fails ? { errorType: 'lineError', errorMessage: 'Busy' } : { pages: 1 });
    if (fails) totals.failed += 1;
    const signedUrl = fax.callbackUrl;
    if (signedUrl !== null && gateway !== null) {
      const url = signedUrl.replace(gateway.publicUrl, gateway.url);
      const { attempts } = await emulator.sendCallback(id, { url, signedUrl });
      if (attempts.at(-1)?.status !== 200) totals.refusedCallbacks += 1;
    }
    totals.ended += 1;
    seen.delete(fax);
    emulator.state.faxes.delete(id);
  }
}

/** Received faxes of a day that has passed. */
function forget(): void {
  emulator.state.faxes.clear();
}

/** Requests and callbacks would be kept for tests. */
function trim(): void {
  emulator.calls.length = 0;
  (emulator.deliveries as unknown[]).length = 0;
}
