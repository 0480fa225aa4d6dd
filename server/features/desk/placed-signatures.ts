import type { PictureKind } from '../../../shared/page-edits.ts';
import type { WriteTx } from '../../db/database.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { notYourSignature } from './errors.ts';
import type { DeskParts } from './parts.ts';
import { openPicture, presentSignature } from './signatures.ts';
import { findPictures } from './store.ts';

/** Signature or stamp that a person puts on a page. */
interface NamedSignature {
  readonly id: string;
  readonly kind: PictureKind;
}

/** Signature or stamp of the caller. */
export interface PlacedSignature extends NamedSignature {
  readonly name: string;
}

/** The same with its picture, a PNG. */
export interface SignaturePicture extends PlacedSignature {
  readonly picture: Uint8Array;
}

type Parts = Pick<DeskParts, 'db' | 'seal' | 'audit'>;

/** Returns the pictures of the caller. Throws a 403 refusal, which is audited, unless all of them are the caller's own. */
export async function ownPictures(
  parts: Parts,
  caller: Caller,
  named: readonly NamedSignature[],
): Promise<SignaturePicture[]> {
  const rows = new Map(
    (
      await findPictures(
        parts.db.read,
        named.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const pictures: SignaturePicture[] = [];
  for (const { id, kind } of named) {
    const row = rows.get(id);
    const isOwn = caller.principal.kind === 'user' && row?.person_id === caller.principal.id;
    if (!row || !isOwn) return refuse(parts, caller, id);
    const facts = presentSignature(parts, row);
    if (facts.kind !== kind) return refuse(parts, caller, id);
    pictures.push({ id, kind, name: facts.name, picture: openPicture(parts, row) });
  }
  return pictures;
}

/** Records that the caller put signatures and stamps on the pages of a fax or of a broadcast. */
export async function recordPlaced(
  { audit }: Pick<Parts, 'audit'>,
  tx: WriteTx,
  caller: Caller,
  {
    placed,
    target,
  }: { placed: readonly PlacedSignature[]; target: { kind: 'fax' | 'broadcast'; id: string } },
): Promise<void> {
  for (const { id, kind, name } of placed)
    await audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'signature.place',
      target,
      outcome: 'done',
      details: { kind, name, signature: id },
    });
}

async function refuse({ db, audit }: Parts, caller: Caller, id: string): Promise<never> {
  await db.transaction((tx) =>
    audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'signature.place',
      target: { kind: 'signature', id },
      outcome: 'refused',
    }),
  );
  throw notYourSignature();
}
