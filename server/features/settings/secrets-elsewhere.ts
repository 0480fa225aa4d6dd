import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type SettingsCatalog, sameValue } from './catalog.ts';
import { SecretsElsewhereError } from './errors.ts';
import type { Changes } from './types.ts';

/** Secrets that are sent to a server, with the settings that decide which server and how. */
interface StoredSecrets {
  readonly places: readonly string[];
  readonly secrets: readonly string[];
}

const OF_GATEWAY: readonly StoredSecrets[] = [
  {
    places: ['MAIL_TO_FAX_HOST', 'MAIL_TO_FAX_PORT', 'MAIL_TO_FAX_SECURITY', 'MAIL_TO_FAX_USER'],
    secrets: ['MAIL_TO_FAX_PASSWORD'],
  },
  { places: ['DIRECTORY_URL', 'DIRECTORY_USER'], secrets: ['DIRECTORY_PASSWORD'] },
];

/**
 * Refuses to move saved secrets of a provider, a mailbox or a directory to an address other than the one they were entered for. A
 * person who may change settings cannot read the secrets and must not learn them through another address: with a new
 * address they are entered again. Changing back to the provider's own address needs nothing. Throws {@link
 * SecretsElsewhereError}.
 */
export function refuseSecretsElsewhere(
  catalog: SettingsCatalog,
  changes: Changes,
  { present, unreadable }: { present: Readonly<Record<string, AnyValue>>; unreadable: ReadonlySet<string> },
): void {
  // One that does not open now may open again, when the right data key is back.
  const isKept = (name: string) => (present[name] ?? null) !== null || unreadable.has(name);
  const ofProviders = catalog.providers.map(({ addresses, essentials }) => ({
    places: Object.keys(addresses),
    secrets: essentials.filter((name) => catalog.definitionOf(name).secret),
  }));
  for (const { places, secrets } of [...OF_GATEWAY, ...ofProviders]) {
    const moved = places.some((name) => {
      const wanted = changes.get(name) ?? null;
      return wanted !== null && !sameValue(wanted, present[name] ?? null);
    });
    const kept = secrets.filter((name) => isKept(name) && !changes.has(name));
    if (moved && kept.length > 0) throw new SecretsElsewhereError();
  }
}
