import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWithGateway } from '../../scripts/build-gateway.ts';
import { place } from '../../scripts/node-bundle.ts';
import { ROOT } from '../../scripts/steps.ts';
import { BUILD_MARK, builtFrom, GATEWAY_BUILD, sourceState } from '../../server/platform/built-code.ts';

const OUT = join(ROOT, 'out', 'child-gateway');
const SCRIPT = 'test/restart/gateway-child.ts';
const SOURCES = [...GATEWAY_BUILD.sources, SCRIPT, 'test/setup/records-dns.ts', 'test/setup/built-child.ts'];

/** The gateway that tests start as a process, in one file: it starts in half the time of its sources. */
export const BUILT_CHILD = join(OUT, 'gateway-child.mjs');

/** Builds that gateway, unless what is there was made from the sources as they are now. */
export async function buildChildIfStale(): Promise<void> {
  const state = sourceState(SOURCES);
  if (builtFrom(OUT) === state) return;
  const { outputFiles } = await bundleWithGateway({ 'gateway-child': SCRIPT }, OUT);
  await rm(join(OUT, BUILD_MARK), { force: true });
  await Promise.all(outputFiles.map(place));
  await writeFile(join(OUT, BUILD_MARK), state);
}
