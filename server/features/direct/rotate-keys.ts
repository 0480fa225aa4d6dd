import type { WriteTx } from '../../db/database.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { assertEnabled, type OwnCard, ownCard } from './own-card.ts';
import type { DirectParts } from './parts.ts';

/**
 * Puts new keys of this installation in force; partners accept the former ones for 30 days. Returns the new card. Throws
 * refusals while direct delivery is off (404), when a setting is missing, or another rotation was first (409).
 */
export async function rotateOwnKeys(
  parts: DirectParts,
  caller: Caller,
  /** Plans in the same transaction what follows from the new signing key. */
  onRotated: (tx: WriteTx, signingKey: string) => Promise<void>,
): Promise<OwnCard> {
  const { settings, identity, audit, db } = parts;
  assertEnabled(settings);
  ownCard(settings, await identity.current());
  const card = await db.transaction(async (tx) => {
    const rotated = ownCard(settings, await identity.rotate(tx));
    await audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'direct.rotate',
      target: { kind: 'direct_identity', id: null },
      outcome: 'done',
      details: { fingerprint: rotated.fingerprint },
    });
    await onRotated(tx, rotated.card.signing_key);
    return rotated;
  });
  await identity.saveFile();
  return card;
}
