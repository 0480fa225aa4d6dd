import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { noSuchPhrase, tooManyPhrases } from './errors.ts';
import type { DeskParts } from './parts.ts';
import { changePhrase, deletePhrase, insertPhrase, listPhrases } from './store.ts';
import type { PhraseRow } from './types.ts';

type Phrase = z.infer<typeof deskRoutes.createPhrase.answer.schema>;
type PhraseWords = Omit<Phrase, 'id'>;
type PhrasesParts = Pick<DeskParts, 'db' | 'clock' | 'seal'>;

/** Lists the phrases of a person by title. */
export async function readPhrases({ db, seal }: PhrasesParts, personId: string): Promise<Phrase[]> {
  const rows = await listPhrases(db.read, personId);
  const phrases = rows.map(({ id, words }) => ({
    id,
    ...(JSON.parse(seal.open(words, contextOf({ person_id: personId, id }))) as PhraseWords),
  }));
  return phrases.toSorted((one, other) => one.title.localeCompare(other.title, 'en'));
}

/** Throws a 409 refusal where the person has too many. */
export async function createPhrase(
  { db, clock, seal }: PhrasesParts,
  personId: string,
  words: PhraseWords,
): Promise<Phrase> {
  const key = { person_id: personId, id: newId() };
  const row = { ...key, words: sealed(seal, key, words), created_at: isoTime(clock.now()) };
  await db.transaction(async (tx) => {
    if ((await listPhrases(tx, personId)).length >= DESK_LIMITS.phrases) throw tooManyPhrases();
    await insertPhrase(tx, row);
  });
  return { id: key.id, ...words };
}

/** Throws a 404 refusal where the person has none of that ID. */
export async function updatePhrase(
  { db, seal }: PhrasesParts,
  key: PhraseKey,
  words: PhraseWords,
): Promise<Phrase> {
  const row = { ...key, words: sealed(seal, key, words) };
  if (!(await db.transaction((tx) => changePhrase(tx, row)))) throw noSuchPhrase();
  return { id: key.id, ...words };
}

/** Throws a 404 refusal where the person has none of that ID. */
export async function removePhrase({ db }: PhrasesParts, key: PhraseKey): Promise<void> {
  if (!(await db.transaction((tx) => deletePhrase(tx, key)))) throw noSuchPhrase();
}

type PhraseKey = Pick<PhraseRow, 'person_id' | 'id'>;

function sealed(seal: DeskParts['seal'], key: PhraseKey, { title, text }: PhraseWords): string {
  return seal.seal(JSON.stringify({ title, text }), contextOf(key));
}

const contextOf = ({ person_id, id }: PhraseKey) => `desk_phrase:${person_id}:${id}`;
