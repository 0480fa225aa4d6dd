import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsoleIfStale } from './build-console.ts';
import { buildDesktop } from './build-desktop.ts';
import { runBuilder } from './pack/builder.ts';
import { PackError } from './pack/pack-error.ts';
import { stage } from './pack/stage.ts';
import { installerTargets, otherInstallers, readTarget, type Target } from './pack/target.ts';
import { ROOT } from './steps.ts';

// `npm run pack` makes the installers of this system; `npm run pack -- --dir` an unpacked application, also for another
// system: `--platform win32|darwin|linux`, `--arch x64|arm64`, and `--electron <folder>` with Electron for it.

try {
  await pack();
} catch (error) {
  if (!(error instanceof PackError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function pack(): Promise<void> {
  const asked = readArguments();
  const targets = asked.dir ? [readTarget(asked)] : installerTargets(asked);
  if (!asked.dir) for (const sentence of otherInstallers()) console.log(sentence);
  await buildConsoleIfStale();
  await buildDesktop();
  for (const target of targets) await packFor(target, asked);
  console.log(`\nWhat was made lies in ${join(ROOT, 'out', 'packages')}.`);
}

async function packFor(target: Target, asked: PackArguments): Promise<void> {
  const folder = join(ROOT, 'out', 'stage', `${target.platform}-${target.arch}`);
  await stage(target, folder, { quiet: true });
  await runBuilder(target, {
    stage: folder,
    output: join(ROOT, 'out', 'packages'),
    installers: !asked.dir,
    electron: asked.electron === undefined ? null : resolve(asked.electron),
    quiet: false,
  });
}

interface PackArguments {
  dir: boolean;
  platform?: string;
  arch?: string;
  electron?: string;
}

function readArguments(): PackArguments {
  try {
    const { values } = parseArgs({
      options: {
        dir: { type: 'boolean', default: false },
        platform: { type: 'string' },
        arch: { type: 'string' },
        electron: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw new PackError(error instanceof Error ? error.message : String(error));
  }
}
