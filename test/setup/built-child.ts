import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWithGateway } from '../../scripts/build-gateway.ts';
import { writeChanged } from '../../scripts/node-bundle.ts';
import { ROOT } from '../../scripts/steps.ts';
import { BUILD_MARK, builtFrom, GATEWAY_BUILD, sourceState } from '../../server/platform/built-code.ts';

const OUT = join(ROOT, 'out', 'child-gateway');
const SCRIPTS = {
  'gateway-child': 'test/restart/gateway-child.ts',
  'upgrade-child': 'test/restart/upgrade-child.ts',
  'move-child': 'test/restart/move-child.ts',
  'way-back-child': 'test/restart/way-back-child.ts',
};
const SOURCES = [
  ...GATEWAY_BUILD.sources,
  ...Object.values(SCRIPTS),
  'test/setup/records-dns.ts',
  'test/setup/built-child.ts',
];

/** The gateway that tests start as a process, in one file: it starts in half the time of its sources. */
export const BUILT_CHILD = join(OUT, 'gateway-child.mjs');

/** The same for an upgrade from an earlier release. */
export const BUILT_UPGRADE = join(OUT, 'upgrade-child.mjs');

/** The same for a move to another database. */
export const BUILT_MOVE = join(OUT, 'move-child.mjs');

/** The same for the first start of the release before after an update that failed. */
export const BUILT_WAY_BACK = join(OUT, 'way-back-child.mjs');

/** Builds all of them, unless what is there was made from the sources as they are now. */
export async function buildChildIfStale(): Promise<void> {
  const state = sourceState(SOURCES);
  if (builtFrom(OUT) === state) return;
  const { outputFiles } = await bundleWithGateway(SCRIPTS, OUT);
  await rm(join(OUT, BUILD_MARK), { force: true });
  await Promise.all(outputFiles.map(writeChanged));
  await writeFile(join(OUT, BUILD_MARK), state);
}
