import { join } from 'node:path';

// The application runs from two folders below its own: everything that is built lies beside it.

/** A file of the same build. */
export function builtFile(name: string): string {
  return join(import.meta.dirname, name);
}

/** Folders and files of the code that is built, and of its packages. */
export function codeFolders(): string[] {
  const root = join(import.meta.dirname, '..', '..');
  return [import.meta.dirname, join(root, 'node_modules'), join(root, 'package.json')];
}

/** A file of `resources/`. */
export function resourceFile(...path: string[]): string {
  return join(import.meta.dirname, '..', '..', 'resources', ...path);
}
