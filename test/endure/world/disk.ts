import { join } from 'node:path';
import { diskFaultsShim } from '../shim/build.ts';
import { createDiskControl, type DiskControl } from '../shim/control.ts';
import type { World } from './world.ts';

/** Why faults of the disk cannot be made here; null when they can. */
export function noDiskFaults(): string | null {
  const shim = diskFaultsShim();
  return 'unavailable' in shim ? shim.unavailable : null;
}

/** From now on what the gateway writes goes by the shim. With `keeps`, nothing is flushed, and power can fail. */
export function tryDisk(world: World, { keeps }: { keeps: boolean }): DiskControl {
  const shim = diskFaultsShim();
  if ('unavailable' in shim) throw new Error(shim.unavailable);
  const state = join(world.folder, 'disk');
  const disk = createDiskControl({ library: shim.library, root: world.dataFolder, state, keeps });
  Object.assign(world.environment, disk.environment);
  return disk;
}

/** The disk of the gateway is an ordinary one again, from its next start on. */
export function endDiskTrial(world: World, disk: DiskControl): void {
  disk.heal();
  for (const name of Object.keys(disk.environment)) delete world.environment[name];
}
