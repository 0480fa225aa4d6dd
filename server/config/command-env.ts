import { processEnvironment } from './env.ts';

/** What a command takes from the environment: where the gateway is and with which key it is asked. */
export function commandEnvironment(): { url: string | null; key: string | null } {
  const environment = processEnvironment();
  return { url: environment['FAXDESK_URL'] ?? null, key: environment['FAXDESK_API_KEY'] ?? null };
}
