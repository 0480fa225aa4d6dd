import type { Permission } from '../../../shared/permissions.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type SettingsCatalog, sameValue } from './catalog.ts';
import type { Changes } from './types.ts';

/** Caller who changes settings, for settings that need more than settings:write. */
export interface Opener {
  /** Returns true when they hold the permission on the whole installation. */
  holds(permission: Permission): boolean;
}

/**
 * Refuses changes of settings that open more than the caller may do, such as whose faxes a folder sends: a setting is no way
 * around a permission. A secret counts as changed whenever it is named, since the answer would confirm a guess otherwise.
 * Throws a 403 refusal.
 */
export function refuseOpening(
  catalog: SettingsCatalog,
  changes: Changes,
  { present, opener }: { present: Readonly<Record<string, AnyValue>>; opener: Opener },
): void {
  for (const [name, to] of changes) {
    const { label, opens, secret, default: usual } = catalog.definitionOf(name);
    if (secret || !sameValue(to ?? usual, present[name] ?? null))
      assertMayOpen(opener, opens, `To change “${label}”`);
  }
}
