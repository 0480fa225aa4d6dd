import { DEVICE_PERMISSIONS } from '../../../shared/api/pairing.ts';
import { INSTALLATION, type Permission } from '../../../shared/permissions.ts';
import type { WriteTx } from '../../db/database.ts';
import type { PairingCodeTable } from '../../db/schema/pairing.ts';
import { addressGroup } from '../../platform/address-range.ts';
import { isoTime } from '../../platform/clock.ts';
import { type ActorWithGrants, BOOTSTRAP_ID } from '../access/service.ts';
import { PairingRefusedError } from './errors.ts';
import { findCode, takeCode } from './store.ts';
import type { PairingAttempt, PairingParts, Visitor } from './types.ts';

/** 5 a minute. */
const ADDRESS_LIMIT = { max: 5, refillMs: 12_000 };
/** 30 a minute from all addresses together: a code lives for five minutes. */
const TOTAL_LIMIT = { key: 'pairing', max: 30, refillMs: 2_000 };
const UNNAMED_DEVICE = 'Mobile device';

/** The rights a maker needs when the code is used, as when it was made. */
const MAKER_PERMISSIONS: readonly Permission[] = ['tunnels:pair', ...DEVICE_PERMISSIONS];

/** Looked up and refused in place of a code that does not exist, so that every failure takes the same steps. */
const NO_CODE: PairingCodeTable = {
  principal_id: BOOTSTRAP_ID,
  key_id: null,
  maker_name: 'Unknown',
  code_hash: '',
  device_name: null,
  expires_at: '',
};

/**
 * Uses a code up and makes the key of a device, with an integration of its own. Throws the same 403 refusal for every
 * failure, after the same steps: neither sentence nor time reveals whether a code is unknown, used, expired, badly
 * written or of a person who may no longer pair. Throws 429 with Retry-After before any of them.
 */
export async function pairDevice(
  parts: PairingParts,
  attempt: PairingAttempt | null,
  visitor: Visitor,
): Promise<{ token: string }> {
  await parts.access.limit.take([
    { key: `pairing:${addressGroup(visitor.address)}`, ...ADDRESS_LIMIT },
    TOTAL_LIMIT,
  ]);
  try {
    const codeHash = parts.hashCode((attempt?.code ?? '').replaceAll(/[\s-]/gu, ''));
    const code = (await findCode(parts.db.read, codeHash, isoTime(parts.clock.now()))) ?? NO_CODE;
    const name = code.device_name ?? attempt?.deviceName ?? UNNAMED_DEVICE;
    return await makeDevice(parts, { code, name }, visitor);
  } catch (error) {
    if (error instanceof PairingRefusedError) await recordRefusal(parts, visitor);
    throw error;
  }
}

async function makeDevice(
  parts: PairingParts,
  { code, name }: { code: PairingCodeTable; name: string },
  { address, requestId }: Visitor,
): Promise<{ token: string }> {
  const actor = {
    id: code.principal_id,
    name: code.maker_name,
    credentialKind: 'pairing_code' as const,
    policyVersion: null,
    requestId,
    keyId: code.key_id,
    holds: () => false,
  };
  const { result } = await parts.access.changePolicy({
    actor,
    operation: 'pairing.use',
    expectedVersion: null,
    work: async (tx) => {
      const isTaken = await takeCode(tx, code.code_hash);
      const maker = await stillAllowed(parts, tx, { actor, code });
      if (!isTaken) throw new PairingRefusedError('no such code, or it was used or has ended');
      return await insertDeviceKey(parts, tx, { maker, name });
    },
    describe: ({ key }) => ({
      target: { kind: 'api_key', id: key.keyId },
      details: { device_name: name, principal_id: key.principalId, address },
    }),
  });
  return { token: result.token };
}

/** The maker with the rights they have now: a code is worth no more than who made it. */
async function stillAllowed(
  parts: PairingParts,
  tx: WriteTx,
  { actor, code }: { actor: ActorWithGrants; code: PairingCodeTable },
): Promise<ActorWithGrants> {
  const ref = { principalId: code.principal_id, keyId: code.key_id };
  const grants = await parts.access.grantsNow(tx, ref, isoTime(parts.clock.now()));
  const holds = (permission: Permission) => grants.get(INSTALLATION)?.has(permission) ?? false;
  if (!MAKER_PERMISSIONS.every(holds))
    throw new PairingRefusedError('the maker of the code may no longer pair');
  return { ...actor, holds };
}

function insertDeviceKey(
  parts: PairingParts,
  tx: WriteTx,
  { maker, name }: { maker: ActorWithGrants; name: string },
) {
  const input = {
    name,
    note: null,
    owner: null,
    scopes: DEVICE_PERMISSIONS,
    expiresAt: null,
    integrationName: `Device: ${name}`,
  };
  return parts.access.insertOwnKey(tx, { actor: maker, input, now: isoTime(parts.clock.now()) });
}

function recordRefusal(parts: PairingParts, { address, requestId }: Visitor): Promise<void> {
  return parts.db.transaction((tx) =>
    parts.audit.record(tx, {
      actor: { id: null, name: 'Unknown' },
      credentialKind: 'none',
      operation: 'pairing.use',
      target: { kind: 'pairing_code', id: null },
      outcome: 'refused',
      policyVersion: 0,
      requestId,
      details: { address },
    }),
  );
}
