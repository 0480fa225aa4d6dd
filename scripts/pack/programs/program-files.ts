import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { macPrograms, macSignature } from './mac-program.ts';
import { authenticodeHash, readWindowsProgram, windowsPublisher } from './windows-program.ts';

/** Program or library that a system loads, found by its first bytes and not by its name. */
interface ProgramFile {
  /** `own computer`: without a certificate, as macOS has it for the computer that made the file. */
  readonly signed: 'certificate' | 'own computer' | 'no';
  /** Subject of the certificate; null where there is none. */
  readonly publisher: string | null;
  /** Hash that rules of Windows compare; null for another system. */
  readonly authenticode: string | null;
}

/** Returns the paths of the files below a folder with forward slashes, sorted. Links are left out. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** Reads what a program of Windows or macOS has of a signature; null for another file. No file is read as a whole into memory. */
export async function readProgramFile(path: string): Promise<ProgramFile | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const layout = await readWindowsProgram(file, size);
    if (layout !== null) {
      const publisher = await windowsPublisher(file, layout);
      const authenticode = await authenticodeHash(path, layout);
      return { signed: publisher === null ? 'no' : 'certificate', publisher, authenticode };
    }
    const places = await macPrograms(file);
    if (places.length === 0) return null;
    const signatures = [];
    for (const place of places) signatures.push(await macSignature(file, place));
    if (signatures.includes(null)) return { signed: 'no', publisher: null, authenticode: null };
    const isComplete = signatures.every((it) => it?.hasCertificate === true);
    const publisher = isComplete ? (signatures[0]?.publisher ?? null) : null;
    return { signed: isComplete ? 'certificate' : 'own computer', publisher, authenticode: null };
  } finally {
    await file.close();
  }
}
