import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { officeFolder, SERVICE_FILE } from '../../../shared/office-folder.ts';
import type { ServiceSystem } from './service-system.ts';

const ServiceFacts = z.object({
  data: z.string(),
  port: z.number().int().nullable(),
  gateway: z.string().optional(),
  certificate: z.string().optional(),
});

/** Service as `faxdesk service create` made it, in a file that every account can read and only an administrator can write. */
type ServiceFacts = z.infer<typeof ServiceFacts>;

export function serviceFile({ platform, windows }: ServiceSystem): string {
  const { join } = platform === 'win32' ? win32 : posix;
  return join(officeFolder(platform, windows.programFiles), SERVICE_FILE);
}

/** Returns null where there is none, or it is damaged. */
export async function readServiceFacts(system: ServiceSystem): Promise<ServiceFacts | null> {
  try {
    return ServiceFacts.parse(JSON.parse((await system.read(serviceFile(system))) ?? ''));
  } catch {
    return null;
  }
}

export async function writeServiceFacts(system: ServiceSystem, facts: ServiceFacts): Promise<void> {
  const file = serviceFile(system);
  await system.makeFolder((system.platform === 'win32' ? win32 : posix).dirname(file));
  await system.write(file, `${JSON.stringify(facts, null, 2)}\n`, 0o644);
}
