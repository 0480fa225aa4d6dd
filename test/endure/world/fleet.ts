import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../../setup/manual-clock.ts';
import type { GatewayProcess } from './gateway-process.ts';
import type { World } from './world.ts';

/** Clocks of the gateways, which differ by up to a minute. */
const SKEWS = [0, MINUTE, -MINUTE];
const POLL_MS = 100;
/** A gateway that vanished is replaced within a minute; a busy machine needs longer to start one. */
const REPLACED_MS = 2 * MINUTE;

/** Three gateways on one database, as places of which each has a gateway or none. */
export interface Fleet {
  readonly size: number;
  /** The gateway of a place. */
  at(place: number): GatewayProcess;
  /** Starts the gateway of a place where none runs. Throws when it does not come up. */
  start(place: number): Promise<void>;
  /** Waits until one of the gateways does the background work. Throws when none does within two minutes. */
  waitForWork(): Promise<void>;
}

/** Starts the gateways of a world. Each has a data folder with the same key. */
export async function startFleet(world: World): Promise<Fleet> {
  if (!(await world.start())) throw new Error(`the first gateway does not start: ${world.gateway?.output}`);
  const fleet: Fleet = {
    size: SKEWS.length,
    at(place) {
      const found = place === 0 ? world.gateway : world.others[place - 1]?.process;
      if (!found) throw new Error(`no gateway was started at place ${place}`);
      return found;
    },
    async start(place) {
      if (!fleet.at(place).isRunning) launch(world, place);
      if (!(await fleet.at(place).ready()))
        throw new Error(`gateway ${place} does not start: ${fleet.at(place).output.slice(-800)}`);
      fleet.at(place).setClockOffset(world.aheadMs + (SKEWS[place] ?? 0));
    },
    async waitForWork() {
      const end = performance.now() + REPLACED_MS;
      while (performance.now() < end) {
        const answer = await world.request('GET', '/console/gateways', { timeoutMs: 5_000 });
        const { gateways = [] } = (answer?.body ?? {}) as { gateways?: { works: boolean }[] };
        if (gateways.some(({ works }) => works)) return;
        await pause(POLL_MS);
      }
      throw new Error('no gateway does the background work');
    },
  };
  for (let place = 1; place < fleet.size; place += 1) {
    const folder = folderOf(world, place);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(join(world.dataFolder, 'data.key'), join(folder, 'data.key'));
    launch(world, place);
    await fleet.start(place);
  }
  return fleet;
}

const folderOf = ({ folder }: World, place: number) => join(folder, `data-${place}`);

function launch(world: World, place: number): void {
  if (place === 0) {
    world.launch();
    return;
  }
  const skewMs = SKEWS[place] ?? 0;
  const process = world.run(['serve', '--port', '0'], {}, { dataFolder: folderOf(world, place), skewMs });
  const known = world.others[place - 1];
  if (known) known.process = process;
  else world.others[place - 1] = { process, skewMs };
}
