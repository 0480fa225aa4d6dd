import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runUpgradeChild } from '../restart/upgrade-run.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { buildChildIfStale } from '../setup/built-child.ts';
import { generateInstallation } from '../setup/earlier-installation.ts';
import type { Figure } from './figure.ts';

const SIZE = { jobs: 200_000, received: 50_000, everySentDocument: 4 };
const MINUTES = 10;
const MEGABYTES = 400;

/** An installation of an earlier release with 200,000 sent and 50,000 received faxes, moved over by one process. */
export async function run(): Promise<Figure[]> {
  await buildChildIfStale();
  const root = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  try {
    const earlier = generateInstallation(root, SIZE);
    const dataFolder = join(root, 'data');
    await mkdir(dataFolder);
    const boot = bootOptions(dataFolder, process.env['BENCH_DATABASE_URL'] ?? null);
    const result = await runUpgradeChild({ boot, earlier, now: Date.now(), killAt: null });
    if (result === null) throw new Error('the upgrade was killed');
    const { counts, ms, maxBytes } = result;
    if (counts['sent_moved'] !== SIZE.jobs || counts['received_moved'] !== SIZE.received)
      throw new Error(`not everything was moved: ${JSON.stringify(counts)}`);
    return [
      {
        name: 'upgrading 200,000 sent and 50,000 received faxes',
        ratio: Number((ms / 60_000).toFixed(2)),
        unit: 'min',
        bar: MINUTES,
        atMost: true,
        detail: `${SIZE.jobs / SIZE.everySentDocument} documents of sent faxes`,
      },
      {
        name: 'memory of that process at most',
        ratio: Math.round(maxBytes / 1024 / 1024),
        unit: 'MB',
        bar: MEGABYTES,
        atMost: true,
        detail: 'without the process of documents',
      },
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
