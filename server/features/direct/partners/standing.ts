import type { DirectPartnerState } from '../../../../shared/states/direct.ts';
import type { PartnerRow } from '../types.ts';

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
}

/** Returns the standing of a partner. `at` is an ISO time. */
export function standingOf(row: PartnerRow, at: string): Standing {
  if (row.revoked_at !== null)
    return {
      state: 'revoked',
      sendsDirectly: false,
      receivesDirectly: false,
      isCheckedByThem: false,
      verifiedAt: null,
      expiresAt: null,
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
  };
}

/** True while our own check of the number counts. `at` is an ISO time. */
export function isNumberConfirmed(
  { number_confirmed_at, expires_at, revoked_at }: PartnerRow,
  at: string,
): boolean {
  return revoked_at === null && number_confirmed_at !== null && expires_at !== null && expires_at > at;
}
