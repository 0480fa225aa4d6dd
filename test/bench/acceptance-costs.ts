import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import { faxRequest, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const ROUNDS = 15;
const REQUESTS = 100;
const WARM_UP = 1_000;

interface Side {
  readonly child: Child<GatewayReady>;
  readonly load: Load;
  readonly key: string;
}

/**
 * Accepting a fax where three rate cards price it, against the same gateway without any: held, where acceptance alone
 * counts, and while faxes are sent, where each begun attempt is estimated and recorded beside it.
 */
export async function run(): Promise<Figure[]> {
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const { environment } = emulator.ready;
  try {
    return [
      await compare('held', { ...environment, FAX_DISABLED: 'true' }),
      await compare('while sending', environment),
    ];
  } finally {
    await emulator.stop();
  }
}

async function compare(name: string, environment: Record<string, string>): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const sides: Side[] = [];
  try {
    for (const side of ['without', 'priced']) sides.push(await gatewaySide(join(folder, side), environment));
    await addCards(sides[1] as Side);
    const pdf = await letterPdf();
    const fires = sides.map(({ load, key }) => {
      const shot = faxRequest(pdf, key, { different: true });
      return (count: number) => load.sendAll(count, shot);
    });
    for (const fire of fires) await fire(WARM_UP);
    const [without, priced] = await measureInTurns(
      ROUNDS,
      fires.map((fire) => () => fire(REQUESTS)),
    );
    return {
      name: `accepting a fax with 3 rate cards, ${name}`,
      ratio: ratioOf(priced, without),
      bar: 0.95,
      unit: 'of one without',
      detail: `${median(priced ?? []).toFixed(0)}/s, without ${median(without ?? []).toFixed(0)}/s`,
    };
  } finally {
    for (const { load, child } of sides) {
      load.close();
      await child.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

async function gatewaySide(dataFolder: string, environment: Record<string, string>): Promise<Side> {
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  const load = new Load(child.ready.url);
  return { child, load, key: await makeKey(load) };
}

/** For all numbers, for those of the country and for those of the area: the last one prices the faxes. */
async function addCards({ load }: Side): Promise<void> {
  for (const prefixes of [[], ['+1'], ['+1202']])
    await load.sendOne({
      method: 'POST',
      path: '/routing/rate-cards',
      headers: { 'X-API-Key': BENCH_KEY, 'Content-Type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({
          backend: 'cloudone',
          currency: 'USD',
          prefixes,
          per_page: '0.03',
          per_minute: '0.01',
        }),
      ),
      expect: 201,
    });
}
