import { join } from 'node:path';
import type { z } from 'zod';
import type {
  InboundHandOver,
  InboundRecovery,
  TelephonyCheck,
  TelephonyConfiguration,
  TelephonyLine,
} from '../../../shared/api/telephony.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { actorOf, type Caller } from '../access/service.ts';
import type { CallLog } from '../outbound/port.ts';
import { type CallArchiving, callArchiving } from './calls/archived-calls.ts';
import { createCallLog } from './calls/call-log.ts';
import { type CallsRequest, listCallLog } from './calls/listing.ts';
import { defineCallCleanup } from './calls/retention.ts';
import { listCalls } from './calls/store.ts';
import { OUTGOING_FOLDER } from './check/check-calls.ts';
import { checkLine } from './check/check-line.ts';
import { isOk } from './check/line-check.ts';
import { configure } from './configuration/configure.ts';
import { lineFacts } from './configuration/line-facts.ts';
import type { ConfigurationRequest } from './configuration/setup-of-settings.ts';
import { IMAGE_FOLDER } from './hand-over/image-file.ts';
import type { HandOverParts } from './hand-over/parts.ts';
import { defineRecovery, recoverNow } from './hand-over/recover.ts';
import { createHandOverSecret } from './hand-over/secret.ts';
import { takeHandOver } from './hand-over/take-hand-over.ts';
import { type Preset, readPresets } from './presets.ts';

export { checkPreset } from './presets.ts';

/** Takes the faxes that the telephone engine receives. Refusals are TelephonyRefusalError. */
export interface TelephonyService {
  readonly jobs: readonly JobDefinition<never>[];
  /** Makes the folders that the engine shares: its images, and the pages of faxes to be sent. */
  start(): Promise<void>;
  /** Applies the present settings: the secret of the engine, and the schedules. */
  plan(): Promise<void>;
  /** Throws a 404 refusal while receiving is off. */
  assertOn(): void;
  /** Throws a refusal unless this is the secret of the engine: 401, or 404 while receiving is off. */
  assertSecret(given: string | undefined): void;
  /** Returns warnings about faxes that could not be handed over. */
  warnings(): string[];
  /** Throws refusals, 404 while receiving is off and 400 for an image that cannot be taken. */
  takeHandOver(order: z.infer<typeof InboundHandOver>): Promise<{ id: string; status: 'ok' }>;
  /** Lists the calls over the phone line, newest first. Throws 400 refusals for a wrong number or cursor. */
  calls(caller: Caller, request: CallsRequest): ReturnType<typeof listCallLog>;
  /** Returns true when the call log has a received call. */
  hasReceived(): Promise<boolean>;
  /** Call log for the room of sent faxes. */
  readonly callLog: CallLog;
  /** Entries of the call log for the room of archives. */
  readonly archiving: CallArchiving;
  /** Brings in the images that were left, at once. */
  recover(caller: Caller): Promise<z.infer<typeof InboundRecovery>>;
  /** Returns the carriers whose trunks are set up from a preset. */
  presets(): Promise<readonly Preset[]>;
  /** Returns the status of the line's setup, and the configuration to bring into the engine. */
  line(): Promise<z.infer<typeof TelephonyLine>>;
  /** Writes the configuration of the engine into the data folder. Throws 409 refusals. */
  configure(order: ConfigurationRequest, caller: Caller): Promise<z.infer<typeof TelephonyConfiguration>>;
  /** Checks everything that faxing over the line needs. */
  check(order: { loop: boolean }): Promise<z.infer<typeof TelephonyCheck>>;
}

export function createTelephonyService(parts: HandOverParts): TelephonyService {
  const secret = createHandOverSecret(parts);
  const recovery = defineRecovery(parts);
  const cleanup = defineCallCleanup(parts);
  const plan = async () => {
    await secret.keep();
    await recovery.plan();
    await cleanup.plan();
  };
  return {
    jobs: [recovery.definition, cleanup.definition] as unknown as JobDefinition<never>[],
    async start() {
      for (const name of [IMAGE_FOLDER, OUTGOING_FOLDER]) await makeFolder(join(parts.dataFolder, name));
      await plan();
    },
    plan,
    warnings: () => parts.problems.warnings(),
    assertOn: () => parts.inbound.assertOn(),
    assertSecret(given) {
      if (!secret.isValid(given)) parts.inbound.assertOn();
      secret.assertValid(given);
    },
    async takeHandOver(order) {
      const { id } = await takeHandOver(parts, order);
      return { id, status: 'ok' };
    },
    calls: (caller, request) => listCallLog(parts, caller, request),
    hasReceived: async () =>
      (await listCalls(parts.db.read, { direction: 'incoming', limit: 1 })).items.length > 0,
    callLog: createCallLog(parts),
    archiving: callArchiving,
    recover: (caller) => recoverNow(parts, actorOf(caller)),
    presets: () => readPresets(),
    line: () => lineFacts(parts),
    configure: (order, caller) => configure(parts, order, actorOf(caller)),
    async check(order) {
      await secret.keep();
      const checks = await checkLine(parts, order);
      return { ok: checks.every(isOk), checks };
    },
  };
}
