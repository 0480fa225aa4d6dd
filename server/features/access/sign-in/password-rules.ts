import { LIMITS } from '../../../../shared/limits.ts';
import { AccessValueError } from '../errors.ts';
import { COMMON_PASSWORDS, WEAK_WORDS } from './common-passwords.ts';

const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
];
const PLAIN: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
  '@': 'a',
};

/** Throws a 400 refusal with the sentence of the first rule a new password breaks. Length is in characters. */
export function checkNewPassword(password: string, login: string | null): void {
  const { least, most } = LIMITS.passwordLength;
  const text = password.normalize('NFC');
  const length = [...text].length;
  if (length < least || length > most) throw new AccessValueError('password_length');
  const lower = text.toLowerCase();
  if (login !== null && lower.trim() === login.toLowerCase()) throw new AccessValueError('password_is_login');
  if (isCommon(lower, login)) throw new AccessValueError('password_too_common');
}

function isCommon(lower: string, login: string | null): boolean {
  if (COMMON_PASSWORDS.has(lower)) return true;
  if (isRepetition(lower) || isSequence(lower)) return true;
  const words = login === null ? WEAK_WORDS : [...WEAK_WORDS, lettersOf(login.toLowerCase())];
  return [lettersOf(lower), lettersOf(plain(lower.replace(/[^\p{L}]+$/u, '')))].some((letters) =>
    words.some((word) => isMadeOf(letters, word)),
  );
}

/** A short piece again and again: `aaaaaaaaaaaa`, `abc1abc1abc1`. */
function isRepetition(text: string): boolean {
  return /^(.{1,6})\1+.{0,5}$/su.test(text) && new Set(text).size <= 6;
}

/** One run along the digits, the alphabet or a keyboard, forwards or backwards. */
function isSequence(text: string): boolean {
  const around = (row: string) => row + row;
  return ROWS.some((row) => {
    const doubled = around(row);
    return doubled.includes(text) || around([...row].reverse().join('')).includes(text);
  });
}

/** `p@ssw0rd` is `password`. */
function plain(text: string): string {
  return [...text].map((character) => PLAIN[character] ?? character).join('');
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '');
}

/** Nothing but the word, once or several times. */
function isMadeOf(letters: string, word: string): boolean {
  return word.length > 0 && letters.length > 0 && letters.replaceAll(word, '') === '';
}
