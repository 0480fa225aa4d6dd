import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { LIMITS } from '../../../../shared/limits.ts';
import { AccessValueError } from '../errors.ts';
import { FIELD_WORDS, TIMES } from './guessed-words.ts';

/** Facts about the password's owner and installation: those a guesser who knows the person would try first. */
interface PasswordOwner {
  readonly login: string | null;
  readonly displayName: string;
  /** `FAX_ORGANIZATION`; null while it is not set. */
  readonly organization: string | null;
}

/** Minimum guesses for a password, as a power of ten (10⁹, an hour or two for a leaked hash). */
const MIN_GUESSES_LOG10 = 9;
/** Maximum length that is analyzed: the time grows faster than the length. */
const MAX_CHECKED_LENGTH = 64;
/** Minimum letters outside the listed words. With fewer, the password consists of those words and nothing else. */
const MIN_OWN_LETTERS = 4;
const MIN_NAME_LENGTH = 3;

let strength: ZxcvbnFactory | null = null;

/** Loads the word lists when the first password is chosen: they take 10 MB, and a tenth of a second to unfold. */
async function loadStrength(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

/**
 * Throws a 400 refusal with the sentence of the first rule that a new password breaks. Length is in characters. How
 * easily it is guessed is judged by zxcvbn, from 40,000 common passwords, keyboards, dates, repetitions, the names of the
 * person and the organization, and seasons.
 */
export async function checkNewPassword(password: string, owner: PasswordOwner): Promise<void> {
  const { least, most } = LIMITS.passwordLength;
  const text = password.normalize('NFC');
  const length = [...text].length;
  if (length < least || length > most) throw new AccessValueError('password_length');
  if (owner.login !== null && text.trim().toLowerCase() === owner.login.toLowerCase())
    throw new AccessValueError('password_is_login');
  const names = namesOf(owner);
  if (isMadeOf(text, names, [...names, ...FIELD_WORDS])) throw new AccessValueError('password_is_name');
  if (isMadeOf(text, TIMES, TIMES)) throw new AccessValueError('password_is_season');
  const known = [...names, ...FIELD_WORDS, ...TIMES];
  strength ??= await loadStrength();
  const { guessesLog10 } = strength.check(text.slice(0, MAX_CHECKED_LENGTH), known);
  if (guessesLog10 < MIN_GUESSES_LOG10 || isMadeOf(text, known, known))
    throw new AccessValueError('password_too_common');
}

/** Returns sign-in name, names and organization, whole and in their parts. */
function namesOf({ login, displayName, organization }: PasswordOwner): string[] {
  const whole = [login, displayName, organization].filter((name) => name !== null);
  const parts = whole.flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u), lettersOf(name)]);
  return [...new Set(parts.map((part) => part.toLowerCase()))].filter(
    (part) => part.length >= MIN_NAME_LENGTH,
  );
}

/** Returns true when almost no letters remain without these words, and one of the `needed` is among them. */
function isMadeOf(text: string, needed: readonly string[], words: readonly string[]): boolean {
  const letters = lettersOf(text.toLowerCase());
  if (!needed.some((word) => letters.includes(word))) return false;
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ' '), letters);
  return lettersOf(rest).length < MIN_OWN_LETTERS;
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '');
}
