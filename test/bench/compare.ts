import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onBothStores } from './both-stores.ts';
import { type Child, startChild } from './child.ts';
import { type Checkout, OWN_CHECKOUT, openCheckout } from './earlier-checkout.ts';
import { faxRequest, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load, type LoadRequest } from './load.ts';
import { descendants } from './own-children.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 21);
const STARTS = 5;
/** Faxes that are sent before anything is measured: by then the code is compiled. */
const WARM_UP = 1_000;
const LISTED = 50;
const SETTLED_MS = 10_000;

/** A gateway of one of the two checkouts. */
interface Side {
  readonly child: Child<GatewayReady>;
  readonly load: Load;
  readonly key: string;
}

/** Request that is repeated, and how often in each round. */
interface Measured {
  readonly name: string;
  readonly request: LoadRequest;
  readonly count: number;
}

/**
 * Compares this checkout with an earlier commit: processor time per request, start and idle memory of two gateways in turns.
 * Each gateway runs through `gateway-process.ts` of its own checkout, which counts its processor time.
 */
export async function run([commitOrFolder = 'HEAD']: readonly string[]): Promise<Figure[]> {
  const earlier = await openCheckout(commitOrFolder);
  try {
    const checkouts = [OWN_CHECKOUT, earlier] as const;
    return await onBothStores('comparing', (store, databases) => compareOn(store, checkouts, databases));
  } finally {
    await earlier.remove();
  }
}

async function compareOn(
  store: string,
  checkouts: readonly Checkout[],
  databases: readonly (string | null)[],
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const unit = `of ${checkouts[1]?.name}, ${store}`;
  const start = async (index: number) =>
    startGateway(checkouts[index] as Checkout, {
      dataFolder: join(folder, String(index)),
      databaseUrl: databases[index] ?? null,
    });
  try {
    const starts = await compareStarts(start, unit);
    const sides = [await openSide(await start(0)), await openSide(await start(1))];
    try {
      await pause(SETTLED_MS);
      const memory = sides.map(({ child }) => [memoryMb(child)]);
      const figures = [...starts, figureOf({ name: 'idle memory', values: memory, what: 'MB', unit })];
      const requests = await Promise.all(sides.map(requestsOf));
      for (const [i, { name }] of (requests[0] ?? []).entries()) {
        const measured = requests.map((ofSide) => ofSide[i] as Measured);
        figures.push(await compareRequests({ name, sides, measured, unit }));
      }
      return figures;
    } finally {
      for (const { load, child } of sides) {
        load.close();
        await child.stop();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Faxes are held: nothing is dispatched while acceptance is measured. */
async function startGateway(
  { root }: Checkout,
  options: { dataFolder: string; databaseUrl: string | null },
): Promise<Child<GatewayReady>> {
  const file = (name: string) => join(root, 'test/bench', name);
  const emulator = await startChild<{ environment: Record<string, string> }>(file('emulator-process.ts'), {});
  await emulator.stop();
  const environment = { ...emulator.ready.environment, FAX_DISABLED: 'true' };
  const profile = process.env['BENCH_PROFILE'];
  const execArgv = profile && root === OWN_CHECKOUT.root ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  return startChild<GatewayReady>(file('gateway-process.ts'), { ...options, environment }, execArgv);
}

/** The first start of each side makes the store and fills the cache of compiled modules; it is not counted. */
async function compareStarts(
  start: (index: number) => Promise<Child<GatewayReady>>,
  unit: string,
): Promise<Figure[]> {
  const ready: number[][] = [[], []];
  const processor: number[][] = [[], []];
  for (let round = 0; round <= STARTS; round += 1)
    for (const index of inTurn(round)) {
      const child = await start(index);
      const spent = await child.call<number>('processorMs');
      if (round > 0) {
        ready[index]?.push(child.ready.readyMs);
        processor[index]?.push(spent);
      }
      await child.stop();
    }
  return [
    figureOf({ name: 'start until ready', values: ready, what: 'ms', unit }),
    figureOf({ name: 'processor time of a start', values: processor, what: 'ms', unit }),
  ];
}

async function openSide(child: Child<GatewayReady>): Promise<Side> {
  const load = new Load(child.ready.url);
  return { child, load, key: await makeKey(load) };
}

async function requestsOf({ load, key }: Side): Promise<Measured[]> {
  const pdf = await letterPdf();
  const known = faxRequest(pdf, key);
  const { id } = JSON.parse((await load.sendOne(known)).toString()) as { id: string };
  const get = (path: string) => ({ method: 'GET', path, headers: { 'X-API-Key': key }, expect: 200 });
  return [
    { name: 'a fax of a known document', request: known, count: 200 },
    { name: 'a fax of a new document', request: faxRequest(pdf, key, { different: true }), count: 200 },
    { name: 'GET of one fax', request: get(`/fax/${id}`), count: 500 },
    { name: `a list of ${LISTED} faxes`, request: get(`/fax?limit=${LISTED}`), count: 200 },
  ];
}

/**
 * Processor time per request and requests per second. The sides strictly alternate: a side that went twice in a row would
 * pay in the second round for what its first one left behind. Garbage collection comes in some rounds only, so the ratio is
 * that of the whole time, with the work between the rounds and after the last one.
 */
async function compareRequests({
  name,
  sides,
  measured,
  unit,
}: {
  name: string;
  sides: readonly Side[];
  measured: readonly Measured[];
  unit: string;
}): Promise<Figure> {
  const rate: number[][] = [[], []];
  const spent = () => Promise.all(sides.map(({ child }) => child.call<number>('processorMs')));
  for (const [i, { load }] of sides.entries()) await load.sendAll(WARM_UP, (measured[i] as Measured).request);
  const before = await spent();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { load }] of sides.entries()) {
      const { request, count } = measured[index] as Measured;
      rate[index]?.push(await load.sendAll(count, request));
    }
  await pause(SETTLED_MS);
  const each = (await spent()).map(
    (after, i) => (after - (before[i] ?? 0)) / (ROUNDS * (measured[i]?.count ?? 0)),
  );
  const figure = figureOf({ name, values: each.map((ms) => [ms]), what: 'ms of processor', unit });
  const [own = [], earlier = []] = rate;
  const rates = `${median(own).toFixed(0)}/s, ${ratioOf(own, earlier)} of ${median(earlier).toFixed(0)}/s`;
  return { ...figure, detail: `${figure.detail}; ${rates}` };
}

function inTurn(round: number): number[] {
  return round % 2 === 0 ? [0, 1] : [1, 0];
}

/** The median of the ratios of each round, with the quarter of rounds below and above it. */
function figureOf({
  name,
  values: [own = [], earlier = []],
  what,
  unit,
}: {
  name: string;
  values: readonly (readonly number[])[];
  what: string;
  unit: string;
}): Figure {
  const ratios = own.map((value, i) => value / (earlier[i] ?? Number.NaN)).sort((a, b) => a - b);
  const at = (share: number) => (ratios[Math.floor(share * (ratios.length - 1))] ?? Number.NaN).toFixed(2);
  const [ours, theirs] = [median(own), median(earlier)].map((value) => value.toPrecision(3));
  const spread = ratios.length > 1 ? `, ratios ${at(0.25)} to ${at(0.75)}` : '';
  return {
    name,
    ratio: ratioOf(own, earlier),
    bar: 0,
    unit,
    detail: `${ours} ${what}, ${theirs} then${spread}`,
  };
}

/** Memory of the gateway with all processes that it started; NaN where there is no `/proc`. */
function memoryMb({ pid }: Child<unknown>): number {
  const all = descendants(pid);
  return all.length > 0 ? all.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / 1e6 : Number.NaN;
}
