import { randomInt } from 'node:crypto';
import { DEVICE_PERMISSIONS } from '../../../shared/api/pairing.ts';
import { INSTALLATION } from '../../../shared/permissions.ts';
import { isUniqueViolation, type WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { type ActorWithGrants, assertMayGrant } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { saveCode } from './store.ts';
import type { CodeMaker, PairingParts } from './types.ts';

const MINUTES = 5;
const DIGITS = 6;
/** Maximum number of draws: few of the million codes are in use. */
const MAX_DRAWS = 5;

export interface CreatedCode {
  /** Six digits; shown once. */
  code: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
}

/**
 * A code that pairs one device within five minutes; an earlier one of the same maker ends. Throws a 403 refusal for who
 * may not make the key of a device.
 */
export async function createCode(
  parts: PairingParts,
  actor: ActorWithGrants,
  order: { maker: CodeMaker; deviceName: string | null },
): Promise<CreatedCode> {
  assertMayGrant(actor, DEVICE_PERMISSIONS, INSTALLATION);
  const nowMs = parts.clock.now();
  const expiresAt = isoTime(nowMs + MINUTES * 60_000);
  for (let draws = 1; ; draws += 1) {
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const row = {
      principal_id: order.maker.principalId,
      key_id: order.maker.keyId,
      maker_name: actor.name,
      code_hash: parts.hashCode(code),
      device_name: order.deviceName,
      expires_at: expiresAt,
    };
    try {
      await parts.db.transaction(async (tx) => {
        await saveCode(tx, row, isoTime(nowMs));
        await record(parts, tx, { actor, deviceName: order.deviceName, expiresAt });
      });
      return { code, expiresAt };
    } catch (error) {
      if (!isUniqueViolation(error) || draws === MAX_DRAWS) throw error;
    }
  }
}

function record(
  parts: PairingParts,
  tx: WriteTx,
  { actor, deviceName, expiresAt }: { actor: ActorWithGrants; deviceName: string | null; expiresAt: string },
): Promise<void> {
  return parts.audit.record(tx, {
    ...recordedActor(actor),
    operation: 'pairing.create',
    target: { kind: 'pairing_code', id: null },
    outcome: 'done',
    details: { device_name: deviceName, expires_at: expiresAt },
  });
}
