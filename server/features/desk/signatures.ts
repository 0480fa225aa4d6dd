import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import type { PictureKind } from '../../../shared/page-edits.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import {
  noSuchSignature,
  refuseBadPicture,
  signatureRefused,
  signaturesOfPeople,
  tooManySignatures,
} from './errors.ts';
import type { DeskParts } from './parts.ts';
import { deletePicture, findPictures, insertPicture, listPictures } from './store.ts';
import type { SignatureFactsRow, SignatureRow } from './types.ts';

type Signature = z.infer<typeof deskRoutes.addSignature.answer.schema>;
type Facts = Omit<Signature, 'id' | 'added_at'>;

interface NewSignature {
  readonly name: string;
  readonly kind: PictureKind;
  readonly file: Uint8Array;
}

/** Lists the signatures and stamps of a person, oldest first. */
export async function readSignatures({ db, seal }: DeskParts, personId: string): Promise<Signature[]> {
  return (await listPictures(db.read, personId)).map((row) => presentSignature({ seal }, row));
}

/** Throws a refusal for a program, for a picture that cannot be one, and where the person has too many. */
export async function addSignature(
  parts: DeskParts,
  caller: Caller,
  { name, kind, file }: NewSignature,
): Promise<Signature> {
  const { db, seal, clock, documents } = parts;
  const { principal } = caller;
  if (principal.kind !== 'user') throw signaturesOfPeople();
  if (file.length > DESK_LIMITS.pictureBytes)
    throw signatureRefused(
      `The picture is larger than ${DESK_LIMITS.pictureBytes / 1_000_000} MB. Make it smaller and try again.`,
    );
  const { picture, width, height } = await refuseBadPicture(documents.for(principal.id).signature(file));
  const key = { id: newId(), person_id: principal.id };
  const facts: Facts = { kind, name, width, height };
  const row: SignatureRow = {
    ...key,
    facts: seal.seal(JSON.stringify(facts), contextOf(key, 'facts')),
    picture: seal.seal(Buffer.from(picture).toString('base64'), contextOf(key, 'picture')),
    added_at: isoTime(clock.now()),
  };
  await db.transaction(async (tx) => {
    if ((await listPictures(tx, principal.id)).length >= DESK_LIMITS.pictures) throw tooManySignatures();
    await insertPicture(tx, row);
    await record(parts, tx, caller, { operation: 'signature.add', id: key.id, facts });
  });
  return presentSignature(parts, row);
}

/** Returns the picture as a PNG. Throws a 404 refusal where the person has none of that ID. */
export async function readPicture(parts: DeskParts, key: SignatureKey): Promise<Uint8Array> {
  const [row] = await findPictures(parts.db.read, [key.id]);
  if (row?.person_id !== key.person_id) throw noSuchSignature();
  return openPicture(parts, row);
}

/** Throws a 404 refusal where the person has none of that ID. */
export async function removeSignature(parts: DeskParts, caller: Caller, id: string): Promise<void> {
  const key = { id, person_id: caller.principal.id };
  await parts.db.transaction(async (tx) => {
    const [row] = await findPictures(tx, [id]);
    if (row?.person_id !== key.person_id) throw noSuchSignature();
    await deletePicture(tx, key);
    await record(parts, tx, caller, {
      operation: 'signature.remove',
      id,
      facts: presentSignature(parts, row),
    });
  });
}

type SignatureKey = Pick<SignatureRow, 'person_id' | 'id'>;

export function presentSignature({ seal }: Pick<DeskParts, 'seal'>, row: SignatureFactsRow): Signature {
  const facts = JSON.parse(seal.open(row.facts, contextOf(row, 'facts'))) as Facts;
  return { id: row.id, ...facts, added_at: row.added_at };
}

export function openPicture({ seal }: Pick<DeskParts, 'seal'>, row: SignatureRow): Uint8Array {
  return Buffer.from(seal.open(row.picture, contextOf(row, 'picture')), 'base64');
}

async function record(
  { audit }: DeskParts,
  tx: WriteTx,
  caller: Caller,
  {
    operation,
    id,
    facts: { kind, name },
  }: {
    operation: 'signature.add' | 'signature.remove';
    id: string;
    facts: Pick<Facts, 'kind' | 'name'>;
  },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'signature', id },
    outcome: 'done',
    details: { kind, name },
  });
}

const contextOf = ({ person_id, id }: SignatureKey, column: 'facts' | 'picture') =>
  `desk_signature:${person_id}:${id}:${column}`;
