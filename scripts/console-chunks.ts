import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

const inRenderer = (path: string) => fileURLToPath(new URL(`../renderer/${path}`, import.meta.url));
const FRAME = inRenderer('main.tsx');
const FIRST_SCREEN = inRenderer('features/outbound-send/send-screen.tsx');
const FEATURES = inRenderer('features/');

/**
 * The modules that the frame imports go into one file, and what the first screen needs beside them into another. Split by
 * who shares what, they would be forty small files that compress worse, and each new screen would split them again.
 */
export function firstScreenChunks() {
  let frame: ReadonlySet<string> | null = null;
  let first: ReadonlySet<string> | null = null;
  return {
    debugName: 'frame and first screen',
    name(id: string, modules: Modules): string | null {
      frame ??= importedBy(FRAME, modules);
      first ??= importedBy(FIRST_SCREEN, modules);
      if (id === FRAME || id.startsWith(FEATURES)) return null;
      if (frame.has(id)) return 'frame';
      return first.has(id) ? 'first-screen' : null;
    },
  };
}

/** Everything that a module imports, directly or not, before it can run. */
function importedBy(id: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([id]);
  for (const next of found)
    for (const below of modules.getModuleInfo(next)?.importedIds ?? []) found.add(below);
  return found;
}
