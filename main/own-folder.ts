import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/** `Local State` has the key with which Windows opens the data key: without it stored passwords are lost. */
const FILES = ['Local State', 'preferences.json', 'window.json', 'update.json'];
/** Sessions and drafts of the windows. */
const PROFILES = 'Partitions';
const INSTALLERS = ['updates', 'kept-installer'];
const CACHES = /^(?:.* ?Cache|Shared Dictionary|blob_storage)$/u;
/** Without it a folder that an older version fills later would be taken over as well. */
const DONE = 'roaming-taken-over';

/**
 * Takes over what an earlier version has left in the roaming folder of the account, once, before anything reads the own folder. What
 * is copied stays there: the version before, when a person goes back to it, and other computers with the same account may still read it.
 * Installers are moved. A copy that was interrupted is continued at the next start. Throws when something could not be copied.
 */
export function takeOverRoaming(roaming: string, own: string): void {
  if (own === roaming || existsSync(join(own, DONE))) return;
  mkdirSync(own, { recursive: true, mode: 0o700 });
  for (const name of FILES) takeOverFile(name, roaming, own);
  takeOverProfiles(join(roaming, PROFILES), join(own, PROFILES));
  for (const name of INSTALLERS) moveInstallers(join(roaming, name), join(own, name));
  writeFlushed(join(own, DONE), '');
}

function takeOverFile(name: string, roaming: string, own: string): void {
  const [source, target] = [join(roaming, name), join(own, name)];
  if (!existsSync(source) || existsSync(target)) return;
  const text = readFileSync(source, 'utf8');
  // The record of updates has the paths of installers.
  writeFlushed(target, text.replaceAll(inJson(roaming), inJson(own)));
}

const inJson = (path: string) => JSON.stringify(path).slice(1, -1);

function takeOverProfiles(source: string, target: string): void {
  if (!existsSync(source) || existsSync(target)) return;
  const draft = `${target}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(source, draft, { recursive: true, filter: (path) => !CACHES.test(basename(path)) });
  renameSync(draft, target);
}

/** An installer that cannot be moved is downloaded again: the start goes on without it. */
function moveInstallers(source: string, target: string): void {
  if (!existsSync(source) || existsSync(target)) return;
  try {
    renameSync(source, target);
  } catch {
    const draft = `${target}.new`;
    rmSync(draft, { recursive: true, force: true });
    try {
      cpSync(source, draft, { recursive: true });
      renameSync(draft, target);
      rmSync(source, { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`the installers in ${source} could not be moved: ${String(error)}\n`);
    }
  }
}

/** After a power failure the file is there as a whole or not at all. */
function writeFlushed(path: string, text: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
