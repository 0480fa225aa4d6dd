import type { DirectPartnerState } from '../../../../shared/states/direct.ts';
import type { PartnerRow } from '../types.ts';

const DAY_MS = 24 * 3_600_000;

/** Wrong codes that close a code. */
export const CODE_TRIES = 5;
/** Time for which a code can be typed. */
export const CODE_MS = 7 * DAY_MS;
/** Time for which a checked number counts. */
export const CHECK_MS = 365 * DAY_MS;
/** Days before the end of a check at which its renewal is asked for. */
export const RENEWAL_DAYS = [30, 7] as const;

/** State of the code that we faxed; `used` after it came back. */
type CodeState = 'none' | 'not_sent' | 'open' | 'closed' | 'expired' | 'used';

/** Standing of a partner at a time. */
interface Standing {
  readonly state: DirectPartnerState;
  /** Faxes to its number go directly. */
  readonly sendsDirectly: boolean;
  /** Documents that it sends directly are accepted. */
  readonly receivesDirectly: boolean;
  /** They sent a code to our number that we returned, so their faxes to us go directly. */
  readonly isCheckedByThem: boolean;
  /** Begin and end of the verification, by the later check; null while it is not verified. */
  readonly verifiedAt: string | null;
  readonly expiresAt: string | null;
  readonly code: CodeState;
}

/** Returns the standing of a partner. `at` is an ISO time. */
export function standingOf(row: PartnerRow, at: string): Standing {
  const code = codeStateOf(row, at);
  if (row.revoked_at !== null)
    return {
      state: 'revoked',
      sendsDirectly: false,
      receivesDirectly: false,
      isCheckedByThem: false,
      verifiedAt: null,
      expiresAt: null,
      code: 'none',
    };
  const checks = [
    { from: row.number_confirmed_at, until: row.expires_at },
    { from: row.confirmed_by_them_at, until: row.confirmed_by_them_until },
  ].flatMap(({ from, until }) => (from !== null && until !== null && until > at ? [{ from, until }] : []));
  const [last] = checks.toSorted((a, b) => b.until.localeCompare(a.until));
  return {
    state: last ? 'verified' : 'pending',
    sendsDirectly: isNumberConfirmed(row, at),
    receivesDirectly: last !== undefined,
    isCheckedByThem: row.confirmed_by_them_until !== null && row.confirmed_by_them_until > at,
    verifiedAt: last?.from ?? null,
    expiresAt: last?.until ?? null,
    code,
  };
}

/** True while our own check of the number counts. `at` is an ISO time. */
export function isNumberConfirmed(
  { number_confirmed_at, expires_at, revoked_at }: PartnerRow,
  at: string,
): boolean {
  return revoked_at === null && number_confirmed_at !== null && expires_at !== null && expires_at > at;
}

/** Returns the state of the code that was faxed to the partner. `at` is an ISO time. */
export function codeStateOf(row: PartnerRow, at: string): CodeState {
  const { code_hmac, code_sent_at, code_expires_at, code_tries, code_fax_id, number_confirmed_at } = row;
  if (code_hmac === null || code_sent_at === null || code_expires_at === null) return 'none';
  if (number_confirmed_at !== null && number_confirmed_at >= code_sent_at) return 'used';
  if (code_tries >= CODE_TRIES) return 'closed';
  if (code_expires_at <= at) return 'expired';
  return code_fax_id === null ? 'not_sent' : 'open';
}

/** Days until our check of the number ends, rounded up; null without a check that counts. `at` is an ISO time. */
export function daysLeft(row: PartnerRow, at: string): number | null {
  if (!isNumberConfirmed(row, at)) return null;
  return Math.ceil((Date.parse(row.expires_at ?? at) - Date.parse(at)) / DAY_MS);
}

const CODE_SENTENCES: Readonly<Record<CodeState, string | null>> = {
  none: null,
  used: null,
  not_sent: 'The fax with the code was not sent. Fax them a code again.',
  open: 'A code was faxed to them. They have to type it in their Faxdesk.',
  closed: `${CODE_TRIES} wrong codes were typed, so the code is closed. Fax them a new one.`,
  expired: 'The code that was faxed to them has expired. Fax them a new one.',
};

/** Returns the standing as a sentence or two that say what is missing. */
export function statusOf(row: PartnerRow, standing: Standing): string {
  if (standing.state === 'revoked')
    return row.revoked_by_them === 1
      ? 'They removed this installation. Faxes to them go by phone.'
      : 'You removed this partner. Faxes to it go by phone.';
  const code = CODE_SENTENCES[standing.code];
  if (standing.state === 'pending')
    return code ?? `${endedOf(row)}Fax them a code, or type the code that they fax to you.`;
  return [directionsOf(standing, code === null), ...(code === null ? [] : [code])].join(' ');
}

const endedOf = ({ number_confirmed_at, confirmed_by_them_at }: PartnerRow) =>
  number_confirmed_at === null && confirmed_by_them_at === null ? '' : 'The check of the numbers has ended. ';

/** `saysWhatToDo`: without a sentence about a code, which says it. */
function directionsOf({ sendsDirectly, isCheckedByThem }: Standing, saysWhatToDo: boolean): string {
  if (sendsDirectly)
    return isCheckedByThem
      ? 'Documents go directly in both directions.'
      : 'Faxes to them go directly. Theirs come directly once they have checked your number too.';
  const checked = 'They checked your number.';
  return saysWhatToDo ? `${checked} Fax them a code before faxes go to them directly.` : checked;
}
