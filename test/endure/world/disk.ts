import { join } from 'node:path';
import type { Random } from '../../fuzz/random.ts';
import { diskFaultsShim } from '../shim/build.ts';
import { createDiskControl, type DiskControl } from '../shim/control.ts';
import { applyPowerFailure } from '../shim/power-failure.ts';
import type { World } from './world.ts';

/** Returns the reason why disk faults cannot be injected here; null when they can. */
export function diskFaultsUnavailable(): string | null {
  const shim = diskFaultsShim();
  return 'unavailable' in shim ? shim.unavailable : null;
}

/**
 * From now on what the gateway writes goes by the shim. With `keeps`, nothing is flushed, and power can fail; with
 * `dropsFolderFlushes`, the gateway is one that flushes no folder.
 */
export function installDiskFaults(
  world: World,
  options: { keeps: boolean; dropsFolderFlushes?: boolean },
): DiskControl {
  const shim = diskFaultsShim();
  if ('unavailable' in shim) throw new Error(shim.unavailable);
  const state = join(world.folder, 'disk');
  const disk = createDiskControl({ library: shim.library, root: world.dataFolder, state, ...options });
  Object.assign(world.environment, disk.environment);
  return disk;
}

/** The disk of the gateway is an ordinary one again, from its next start on. */
export function removeDiskFaults(world: World, disk: DiskControl): void {
  disk.clearFaults();
  for (const name of Object.keys(disk.environment)) delete world.environment[name];
}

/** Ends the gateway as a power failure does, and takes back of what it did not flush. */
export async function simulatePowerFailure(world: World, disk: DiskControl, random: Random): Promise<void> {
  await world.cutPower();
  disk.clearFaults();
  applyPowerFailure({ root: world.dataFolder, journalFolder: disk.journalFolder, random });
  disk.clearJournal();
}
