import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRandomFor } from '../endure/random.ts';
import { diskFaultsShim } from '../endure/shim/build.ts';
import { createDiskControl } from '../endure/shim/control.ts';
import { applyPowerFailure } from '../endure/shim/power-failure.ts';
import { diskFaultsUnavailable } from '../endure/world/disk.ts';

const reason = diskFaultsUnavailable();
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-power-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script in an empty folder, lets the power fail after it, and says whether its file `kept/letter` is there. */
function survivesPowerFailure(script: string, seed: number): boolean {
  const shim = diskFaultsShim();
  if ('unavailable' in shim) throw new Error(shim.unavailable);
  const root = join(folder, `data-${seed}`);
  mkdirSync(root);
  const state = join(folder, `state-${seed}`);
  const disk = createDiskControl({ library: shim.library, root, state, keeps: true });
  const { status, stderr } = spawnSync(process.execPath, ['-e', `${START}${script}`], {
    cwd: root,
    env: { ...process.env, ...disk.environment },
  });
  expect([status, String(stderr)]).toEqual([0, '']);
  disk.close();
  applyPowerFailure({ root, journalFolder: disk.journalFolder, random: createRandomFor(seed, 'power') });
  return existsSync(join(root, 'kept/letter'));
}

const START = `
  const fs = require('node:fs');
  const place = process.cwd() + '/kept';
  const flush = (path) => { const file = fs.openSync(path, 'r'); fs.fsyncSync(file); fs.closeSync(file); };
  fs.mkdirSync(place);
  fs.writeFileSync(place + '/.new-letter', 'A letter.');
  flush(place + '/.new-letter');
  fs.renameSync(place + '/.new-letter', place + '/letter');
`;
const FLUSH_BOTH = 'flush(place); flush(process.cwd());';

describe.skipIf(reason !== null)(`a power failure${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test('takes no file whose folder, and the folder of that, were flushed', () => {
    expect(SEEDS.filter((seed) => !survivesPowerFailure(FLUSH_BOTH, seed))).toEqual([]);
  });

  test.each([
    ['no folder was flushed', ''],
    ['only another file was flushed', "fs.writeFileSync('other', ''); flush('other');"],
    ['only another folder was flushed', "fs.mkdirSync('other'); flush('other'); flush(process.cwd());"],
    ['only its own folder was flushed, and not the one that holds that', 'flush(place);'],
  ])('may take a file where %s', (_what, script) => {
    const kept = SEEDS.filter((seed) => survivesPowerFailure(script, seed));
    expect(kept.length).toBeLessThan(SEEDS.length);
  });
});
