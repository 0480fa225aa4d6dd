import type { Actor } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import type { TelephonyParts } from '../parts.ts';
import { gatewayUrl } from './line-facts.ts';
import { lineSetup } from './line-setup.ts';
import type { ConfigurationRequest } from './setup-of-settings.ts';
import { writeConfiguration } from './write-configuration.ts';

/**
 * Writes the configuration of the engine at the request of a person. Throws 409 refusals, and errors of the disk as
 * they are.
 */
export async function configure(
  parts: TelephonyParts,
  order: ConfigurationRequest,
  actor: Actor,
): Promise<{ folder: string; files: string[] }> {
  const setup = await lineSetup(parts, { ...order, gateway_url: order.gateway_url ?? gatewayUrl(parts) });
  const written = await writeConfiguration(parts.dataFolder, setup);
  await parts.db.transaction((tx) =>
    parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'telephony.configure',
      target: { kind: 'installation', id: null },
      outcome: 'done',
      details: {},
    }),
  );
  return written;
}
