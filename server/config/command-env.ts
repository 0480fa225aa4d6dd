import { processEnvironment } from './env.ts';

/** Reads the address of the gateway and the key for it from the environment. */
export function commandEnvironment(): { url: string | null; key: string | null } {
  const environment = processEnvironment();
  return { url: environment['FAXDESK_URL'] ?? null, key: environment['FAXDESK_API_KEY'] ?? null };
}
