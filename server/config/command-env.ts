import { processEnvironment } from './env.ts';

/** Reads the address of the gateway and the key for it from the environment. */
export function commandEnvironment(): { url: string | null; key: string | null } {
  const environment = processEnvironment();
  return { url: environment['FAXDESK_URL'] ?? null, key: environment['FAXDESK_API_KEY'] ?? null };
}

/** Reads the unit of systemd that runs the gateway of this computer; null where the environment names none. */
export function commandService(): string | null {
  return processEnvironment()['FAXDESK_SERVICE'] ?? null;
}
