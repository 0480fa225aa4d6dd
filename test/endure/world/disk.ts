import { join } from 'node:path';
import type { Random } from '../../fuzz/random.ts';
import { diskFaultsShim } from '../shim/build.ts';
import { createDiskControl, type DiskControl } from '../shim/control.ts';
import { failPower } from '../shim/power-failure.ts';
import type { World } from './world.ts';

/** Returns the reason why disk faults cannot be injected here; null when they can. */
export function noDiskFaults(): string | null {
  const shim = diskFaultsShim();
  return 'unavailable' in shim ? shim.unavailable : null;
}

/**
 * From now on what the gateway writes goes by the shim. With `keeps`, nothing is flushed, and power can fail; with
 * `dropsFolderFlushes`, the gateway is one that flushes no folder.
 */
export function tryDisk(world: World, how: { keeps: boolean; dropsFolderFlushes?: boolean }): DiskControl {
  const shim = diskFaultsShim();
  if ('unavailable' in shim) throw new Error(shim.unavailable);
  const state = join(world.folder, 'disk');
  const disk = createDiskControl({ library: shim.library, root: world.dataFolder, state, ...how });
  Object.assign(world.environment, disk.environment);
  return disk;
}

/** The disk of the gateway is an ordinary one again, from its next start on. */
export function endDiskTrial(world: World, disk: DiskControl): void {
  disk.heal();
  for (const name of Object.keys(disk.environment)) delete world.environment[name];
}

/** Ends the gateway as a power failure does, and takes back of what it did not flush. */
export async function losePower(world: World, disk: DiskControl, random: Random): Promise<void> {
  await world.cutPower();
  disk.heal();
  failPower({ root: world.dataFolder, journalFolder: disk.journalFolder, random });
  disk.forget();
}
