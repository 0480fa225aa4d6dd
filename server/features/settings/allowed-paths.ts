import type { AllowedFolders, AllowedPath } from '../../platform/allowed-folders.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { SettingsCatalog } from './catalog.ts';
import { SettingsFolderError } from './errors.ts';
import type { Changes } from './types.ts';

export interface PathParts {
  readonly catalog: SettingsCatalog;
  readonly folders: AllowedFolders;
}

/** Resolves a setting that names a file or folder; null for every other setting, and where it is not set. */
export function allowedPath(
  { catalog, folders }: PathParts,
  name: string,
  value: AnyValue | undefined,
): AllowedPath | null {
  const { use } = catalog.definitionOf(name);
  return use === null || typeof value !== 'string' ? null : folders.check(name, value, use);
}

/** Throws {@link SettingsFolderError} for the first file or folder that may not be used. */
export function refuseFolders(parts: PathParts, changes: Changes): void {
  for (const [name, value] of changes) {
    const path = allowedPath(parts, name, value);
    if (path !== null && 'problem' in path) throw new SettingsFolderError(path.problem);
  }
}
