import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type SettingsCatalog, sameValue } from './catalog.ts';
import { SecretsElsewhereError } from './errors.ts';
import type { Changes } from './types.ts';

/**
 * A provider's saved secrets go to the address they were entered for. Whoever may change settings does not know them, and
 * must not learn them by another address: with it they are entered again. Back to the provider's own address needs nothing.
 * Throws {@link SecretsElsewhereError}.
 */
export function refuseSecretsElsewhere(
  catalog: SettingsCatalog,
  changes: Changes,
  { present, unreadable }: { present: Readonly<Record<string, AnyValue>>; unreadable: ReadonlySet<string> },
): void {
  // One that does not open now may open again, when the right data key is back.
  const isKept = (name: string) => (present[name] ?? null) !== null || unreadable.has(name);
  for (const { addresses, essentials } of catalog.providers) {
    const moved = Object.keys(addresses).some((name) => {
      const wanted = changes.get(name) ?? null;
      return wanted !== null && !sameValue(wanted, present[name] ?? null);
    });
    const kept = essentials.filter(
      (name) => catalog.definitionOf(name).secret && isKept(name) && !changes.has(name),
    );
    if (moved && kept.length > 0) throw new SecretsElsewhereError();
  }
}
