import { readRunning } from '../../config/running-file.ts';
import { localGateway } from '../local-gateway.ts';
import {
  planRemoval,
  planRestart,
  planService,
  planStop,
  readService,
  type ServiceRequest,
  type ServiceState,
  wholePath,
} from './computer-service.ts';
import { readServiceAddress, waitUntilIdle, waitUntilReady } from './running-service.ts';
import { readServiceFacts, serviceFile, writeServiceFacts } from './service-file.ts';
import { carryOut, type ServiceSystem, thisSystem } from './service-system.ts';
import { describeStep, type Step } from './steps.ts';

/** Receives the steps in place of the system. */
type DryRun = ((lines: string) => void) | null;

/**
 * Makes or renews the service, and waits until its gateway takes requests. Returns its address; null where the steps were only
 * printed. Throws CommandFailure.
 */
export async function createService(
  request: ServiceRequest,
  dryRun: DryRun,
  system: ServiceSystem = thisSystem(),
): Promise<string | null> {
  if (request.data !== null) wholePath(system, request.data);
  const { spec, steps } = await planService(system, request);
  if (dryRun !== null) return describe(steps, dryRun);
  const before = await readService(system);
  if (before.isRunning) await waitUntilIdle(before, system.pause);
  const formerPid = (await readRunning(before.dataFolder))?.pid ?? null;
  const { dataFolder: data, port } = spec;
  await carryOut(system, steps);
  // Before the gateway is ready: what the service is does not depend on its start.
  await writeServiceFacts(system, { data, port });
  const url = await waitUntilReady({ dataFolder: data, log: before.log }, system, formerPid);
  const address = await readServiceAddress(data);
  if (address !== null) await writeServiceFacts(system, { data, port, ...address });
  return url;
}

/**
 * Restarts the service, and waits until its gateway takes requests. Returns its address; null where no service of Windows or macOS works on
 * the data folder.
 */
export async function restartComputerService(
  dataFolder: string,
  system: ServiceSystem = thisSystem(),
): Promise<string | null> {
  if (system.platform !== 'win32' && system.platform !== 'darwin') return null;
  const state = await readService(system);
  if (!state.exists || state.dataFolder !== dataFolder) return null;
  const steps = await planRestart(system);
  const formerPid = (await readRunning(state.dataFolder))?.pid ?? null;
  await carryOut(system, steps);
  return waitUntilReady(state, system, formerPid);
}

/** Stops the service, after a fax that is being handed over. Does nothing where there is none. */
export async function stopService(dryRun: DryRun, system: ServiceSystem = thisSystem()): Promise<void> {
  const steps = await planStop(system);
  if (dryRun !== null) return void describe(steps, dryRun);
  if (steps.length > 0) await waitUntilIdle(await readService(system), system.pause);
  await carryOut(system, steps);
}

/** Stops and removes the service. Returns its data folder, which stays. Throws CommandFailure where there is none. */
export async function removeService(dryRun: DryRun, system: ServiceSystem = thisSystem()): Promise<string> {
  const steps: Step[] = [...(await planRemoval(system)), { kind: 'remove', path: serviceFile(system) }];
  const state = await readService(system);
  if (dryRun !== null) describe(steps, dryRun);
  else {
    if (state.isRunning) await waitUntilIdle(state, system.pause);
    await carryOut(system, steps);
  }
  return state.dataFolder;
}

/** Returns the state of the service with the addresses of its gateway; null for one that is not known. */
export async function showService(
  system: ServiceSystem = thisSystem(),
): Promise<ServiceState & { url: string | null; gateway: string | null }> {
  const state = await readService(system);
  const known = await readServiceFacts(system);
  return { ...state, url: await localGateway(state.dataFolder), gateway: known?.gateway ?? null };
}

function describe(steps: readonly Step[], dryRun: NonNullable<DryRun>): null {
  for (const step of steps) dryRun(describeStep(step));
  return null;
}
