import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BackupError } from '../../server/backup/errors.ts';
import { descriptorsOf } from '../bench/process-resources.ts';
import { archiveOf, entriesOf, type GoodBackup, marked, readGoodBackup } from '../store/backup-forged.ts';
import { emptyLocation, restore } from '../store/backup-setup.ts';
import { mutate } from './mutate.ts';
import { createRandom, type Random } from './random.ts';

const LOCK = 'gateway.lock';
const HANG_MS = 10_000;
const WARM_UP = 20;
const WORDS = [
  '..',
  '/',
  '\\',
  '\0',
  'null',
  '{}',
  '[]',
  '"',
  ',',
  '\n',
  'files/',
  'tables/',
  'keys/',
  '"rows":',
  'PK\u0001\u0002',
  'PK\u0003\u0004',
  'PK\u0005\u0006',
  '\u00ff\u00ff\u00ff\u00ff',
];

interface BackupFuzzResult {
  readonly backups: number;
  /** Number by what became of it: `restored`, or the sentence. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Errors that are no refusal, refusals after which something was left, and restores of more than ten seconds. */
  readonly findings: readonly string[];
  readonly before: { readonly usedMb: number; readonly descriptors: number | null };
  readonly after: { readonly usedMb: number; readonly descriptors: number | null };
}

/**
 * Restores backups that were changed at random, until `shouldContinue` returns false: some in any byte, some in any byte
 * and marked as whole, and some in one part whose digest is right again. The same seed makes the same backups.
 */
export async function fuzzBackups(
  seed: number,
  shouldContinue: (backups: number) => boolean,
): Promise<BackupFuzzResult> {
  const good = await readGoodBackup();
  const random = createRandom(seed);
  const outcomes: Record<string, number> = {};
  const findings: string[] = [];
  let backups = 0;
  let before = measure();
  do {
    const { outcome, finding } = await tryRestore(await changed(random, good));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (finding !== null) findings.push(`backup ${backups}: ${finding}`);
    backups += 1;
    if (backups === WARM_UP) before = measure();
  } while (shouldContinue(backups));
  await pause(1_000);
  return { backups, outcomes, findings, before, after: measure() };
}

async function changed(random: Random, { bytes, parts, manifest }: GoodBackup): Promise<Buffer> {
  const mutated = (sample: Buffer) => mutate(random, sample, { words: WORDS, others: [...parts.values()] });
  const kind = random.int(10);
  if (kind === 0) return mutated(bytes);
  if (kind < 4) {
    const mark = bytes.subarray(-64);
    return marked(Buffer.concat([mutated(bytes.subarray(0, -64)), mark]));
  }
  if (kind === 4) return archiveOf(parts, mutated(Buffer.from(JSON.stringify(manifest))).toString());
  const filled = [...parts].filter(([, content]) => content.length > 0);
  const [name, content] = random.pick(filled);
  const altered = new Map(parts).set(name, mutated(content));
  return archiveOf(altered, JSON.stringify({ ...manifest, entries: entriesOf(altered) }));
}

async function tryRestore(content: Buffer): Promise<{ outcome: string; finding: string | null }> {
  const location = await emptyLocation(null);
  const file = `${location.folder}.zip`;
  await writeFile(file, content);
  const began = performance.now();
  try {
    const error = await restore(file, { dataFolder: location.folder }).then(
      () => null,
      (reason: unknown) => reason,
    );
    const took = performance.now() - began;
    const slow = took > HANG_MS ? `took ${Math.round(took)} ms` : null;
    if (error === null) return { outcome: 'restored', finding: slow };
    if (!(error instanceof BackupError)) return { outcome: 'an error', finding: describe(error) };
    // The lock stays: another process may have it open by then.
    const left = (await readdir(location.folder)).filter((name) => name !== LOCK);
    const finding = left.length > 0 ? `left ${left.join(', ')}: ${error.message}` : slow;
    const isUnexplained = error.message.includes('unknown reason');
    return { outcome: error.message, finding: isUnexplained ? describe(error.cause) : finding };
  } finally {
    await location.remove();
    await rm(join(file), { force: true });
  }
}

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function measure() {
  for (let i = 0; i < 3; i += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { usedMb: Math.round((heapUsed + external) / 1e6), descriptors: descriptorsOf(process.pid) };
}
