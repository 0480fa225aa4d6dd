import { randomInt } from 'node:crypto';
import { isoTime } from '../../platform/clock.ts';
import { equalInConstantTime } from '../../platform/hash.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { noPrintPassword, passwordsOfPeople } from './errors.ts';
import type { PrintingParts } from './parts.ts';
import { deletePassword, findPassword, writePassword } from './store.ts';

type PasswordParts = Pick<PrintingParts, 'db' | 'clock' | 'access' | 'audit' | 'hashPassword'>;

/** Letters and digits that nobody mistakes for others. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Groups of letters of a password: about 99 random bits. */
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A person who prints from another computer. */
export interface Printing {
  readonly id: string;
  readonly login: string;
}

/** Returns the name and the time of the print password of the caller, null for none. Throws a 403 refusal for programs. */
export async function describePassword(parts: PasswordParts, caller: Caller) {
  const login = await loginOf(parts, caller);
  const row = await findPassword(parts.db.read, caller.principal.id);
  return { login, created_at: row?.created_at ?? null };
}

/** Creates the print password of the caller, in place of an earlier one. It is shown once. Throws as above. */
export async function createPassword(parts: PasswordParts, caller: Caller) {
  const login = await loginOf(parts, caller);
  const password = newPassword();
  const created_at = isoTime(parts.clock.now());
  await parts.db.transaction(async (tx) => {
    const row = { person_id: caller.principal.id, hash: parts.hashPassword(password), created_at };
    await writePassword(tx, row);
    await parts.audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'print_password.create',
      target: { kind: 'user', id: caller.principal.id },
      outcome: 'done',
    });
  });
  return { login, password, created_at };
}

/** Removes the print password of the caller. Throws a 404 refusal where there is none. */
export async function removePassword(parts: PasswordParts, caller: Caller): Promise<void> {
  await parts.db.transaction(async (tx) => {
    if (!(await deletePassword(tx, caller.principal.id))) throw noPrintPassword();
    await parts.audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'print_password.remove',
      target: { kind: 'user', id: caller.principal.id },
      outcome: 'done',
    });
  });
}

/**
 * Returns the person whose sign-in name and print password a request has (RFC 7617), while they may send faxes; null for
 * anything else.
 */
export async function personOf(
  parts: PasswordParts,
  authorization: string | undefined,
): Promise<Printing | null> {
  const encoded = /^Basic +([A-Za-z0-9+/=]{1,400})$/iu.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const at = text.indexOf(':');
  const login = text.slice(0, Math.max(at, 0)).trim().toLowerCase();
  if (login === '') return null;
  const caller = await parts.access.callerFor(login, 'none');
  if (caller?.principal.kind !== 'user' || !caller.holdsAnywhere('fax:send')) return null;
  const row = await findPassword(parts.db.read, caller.principal.id);
  const hash = parts.hashPassword(text.slice(at + 1).trim());
  if (row === undefined || !equalInConstantTime(row.hash, hash)) return null;
  return { id: caller.principal.id, login };
}

async function loginOf({ db, access }: PasswordParts, caller: Caller): Promise<string> {
  const principal = caller.isTest ? null : await access.findPrincipal(db.read, caller.principal.id);
  if (principal?.kind !== 'user' || principal.login === null) throw passwordsOfPeople();
  return principal.login;
}

function newPassword(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)] ?? '';
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
