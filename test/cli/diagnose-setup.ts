import { announceRunning } from '../../server/config/running-file.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import type { CommandLine } from './cli-setup.ts';

export interface Found {
  readonly kind: string;
  readonly fault: string;
  readonly cure: string;
}

/** Runs `faxdesk diagnose --json`; answers its exit code with the faults that it found. */
export async function diagnosed(
  cli: CommandLine,
  environment: Record<string, string> = {},
): Promise<{ code: number | null; faults: readonly Found[] }> {
  const { code, out } = await cli.run(['diagnose', '--json'], environment);
  return { code, faults: (JSON.parse(out) as { faults: Found[] }).faults };
}

/** Has `faxdesk diagnose` look at a gateway of this process; answers the faults that it found. */
export async function diagnosedHere(
  cli: CommandLine,
  gateway: { readonly dataFolder: string; readonly url: string },
): Promise<readonly Found[]> {
  await announceRunning(gateway.dataFolder, gateway.url);
  const environment = { FAXDESK_DATA: gateway.dataFolder, API_KEY: INSTALLATION_KEY };
  return (await diagnosed(cli, environment)).faults;
}
