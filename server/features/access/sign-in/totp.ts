import { Secret, TOTP } from 'otpauth';

/** Defaults of every authenticator app (RFC 6238, with SHA-1 and six digits). */
const PERIOD_S = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** A code of the step before or after the present one fits too: clocks differ, and people type slowly. */
const WINDOW = 1;

/** A new secret, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the URI that the authenticator app reads from a QR picture. */
export function otpauthUri(facts: { secret: string; login: string; issuer: string }): string {
  return totpOf(facts.secret, { issuer: facts.issuer, label: facts.login }).toString();
}

/**
 * The time step of a code that fits now, or null. `lastStep` is that of the code used before: no code, and none older, fits
 * twice.
 */
export function stepOfCode(
  facts: { secret: string; lastStep: number | null },
  code: string,
  nowMs: number,
): number | null {
  const token = code.replaceAll(/\s/gu, '');
  if (!/^\d{6}$/u.test(token)) return null;
  const delta = totpOf(facts.secret).validate({ token, timestamp: nowMs, window: WINDOW });
  if (delta === null) return null;
  const step = Math.floor(nowMs / 1000 / PERIOD_S) + delta;
  return facts.lastStep === null || step > facts.lastStep ? step : null;
}

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_S,
  });
}
