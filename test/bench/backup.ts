import type { BackupCost } from './backup-process.ts';
import { startChild } from './child.ts';
import { type Figure, median, ratioOf } from './figure.ts';

const FEW = 10_000;
const MANY = 100_000;
const ROUNDS = 3;

/** Time for a document and memory of a backup with 100,000 documents and of its check, against those with 10,000. */
export async function run(): Promise<Figure[]> {
  const few: BackupCost[] = [];
  const many: BackupCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await measure(FEW));
    many.push(await measure(MANY));
  }
  const figure = (name: string, unit: string, of: keyof BackupCost, bar: number): Figure => {
    const [small, large] = [few, many].map((costs) => costs.map((cost) => cost[of])) as [number[], number[]];
    return {
      name,
      ratio: ratioOf(large, small),
      bar,
      atMost: true,
      unit: `of that with ${FEW.toLocaleString('en')}`,
      detail: `${median(large).toFixed(0)} ${unit} with ${MANY.toLocaleString('en')} documents, ${median(small).toFixed(0)} ${unit} with ${FEW.toLocaleString('en')}`,
    };
  };
  return [
    figure('Backup: time for a document', 'µs', 'writing', 1.2),
    figure('Check of a backup: time for a document', 'µs', 'checking', 1.2),
    figure('Backup and check: highest memory', 'MB', 'peakMb', 2),
  ];
}

/** Measures in a process of its own: the highest memory of a process never falls. */
async function measure(documents: number): Promise<BackupCost> {
  const child = await startChild<null>('backup-process.ts', { documents }, ['--max-semi-space-size=2']);
  try {
    return await child.call<BackupCost>('measure');
  } finally {
    await child.stop();
  }
}
