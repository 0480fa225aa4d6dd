import { join } from 'node:path';
import type { z } from 'zod';
import type { InboundHandOver, InboundRecovery } from '../../../shared/api/telephony.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { takeHandOver } from './hand-over.ts';
import { createHandOverSecret } from './hand-over-secret.ts';
import { IMAGE_FOLDER } from './image-file.ts';
import type { TelephonyParts } from './parts.ts';
import { defineRecovery, recoverNow } from './recover.ts';

/** Takes the faxes that the telephone engine receives. Refusals are TelephonyRefusalError. */
export interface TelephonyService {
  readonly jobs: readonly JobDefinition<never>[];
  /** Makes the folder in which the engine leaves its images. */
  start(): Promise<void>;
  /** Follows the present settings: the secret of the engine, what repeats. */
  plan(): Promise<void>;
  /** Throws a 404 refusal while receiving is off. */
  assertOn(): void;
  /** Throws a 401 refusal unless this is the secret of the engine. */
  assertSecret(given: string | undefined): void;
  /** Throws 400 refusals for an image that cannot be taken. */
  takeHandOver(order: z.infer<typeof InboundHandOver>): Promise<{ id: string; status: 'ok' }>;
  /** Brings in the images that were left, at once. */
  recover(caller: Caller): Promise<z.infer<typeof InboundRecovery>>;
}

export function createTelephonyService(parts: TelephonyParts): TelephonyService {
  const secret = createHandOverSecret(parts);
  const recovery = defineRecovery(parts);
  const plan = async () => {
    await secret.keep();
    await recovery.plan();
  };
  return {
    jobs: [recovery.definition as unknown as JobDefinition<never>],
    async start() {
      await makeFolder(join(parts.dataFolder, IMAGE_FOLDER));
      await plan();
    },
    plan,
    assertOn: () => parts.inbound.assertOn(),
    assertSecret: (given) => secret.assertRight(given),
    async takeHandOver(order) {
      const { id } = await takeHandOver(parts, order);
      return { id, status: 'ok' };
    },
    recover: (caller) => recoverNow(parts, actorOf(caller)),
  };
}
