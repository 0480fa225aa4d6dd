import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { filledId, fillStore } from './fill-store.ts';
import type { GatewayReady } from './gateway-process.ts';

const JOBS = 100_000;
const ROUNDS = 5;
/** Names of one file: file systems allow some tens of thousands. */
const MAX_LINKS = 30_000;

/** Start to ready with 100,000 faxes and their documents, against an empty installation. */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const [empty, full] = [join(folder, 'empty'), join(folder, 'full')];
  const loaded: number[] = [];
  const start = (dataFolder: string) => async () => {
    const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment: {} });
    await child.stop();
    loaded.push(child.ready.loadedMs);
    return child.ready.readyMs;
  };
  try {
    await mkdir(full);
    await fillStore({ postgresUrl: null, sqliteFile: join(full, 'faxdesk.sqlite') }, JOBS);
    await fillFiles(join(full, 'files', 'fax'));
    const sides = [start(empty), start(full)];
    await measureInTurns(1, sides);
    const [few = [], many = []] = await measureInTurns(ROUNDS, sides);
    return [
      {
        name: 'start with 100,000 faxes',
        ratio: ratioOf(many, few),
        bar: 1.2,
        atMost: true,
        unit: 'of an empty store',
        detail: `${median(many).toFixed(0)} ms, empty ${median(few).toFixed(0)} ms, ${median(loaded).toFixed(0)} ms of each for loading modules`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillFiles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let n = 0, original = ''; n < JOBS; n += 1) {
    const path = join(folder, `${filledId(n)}.pdf`);
    if (n % MAX_LINKS === 0) await writeFile((original = path), '%PDF-1.7');
    else await link(original, path);
  }
}
