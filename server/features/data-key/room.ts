import type { JobDefinition } from '../../jobs/define-job.ts';
import { defineRoom, type Room } from '../room.ts';
import { dataKeyServedRoutes } from './routes.ts';
import { createDataKeyService, type DataKeyParts } from './service.ts';

/** The room of the data key, which owners replace while the gateway runs. */
export function createDataKey(parts: DataKeyParts): Room {
  const service = createDataKeyService(parts);
  return defineRoom({
    name: 'data-key',
    served: dataKeyServedRoutes(service),
    jobs: [service.job as unknown as JobDefinition<never>],
    start: () => service.start(),
    warnings: () => service.warnings(),
  });
}
