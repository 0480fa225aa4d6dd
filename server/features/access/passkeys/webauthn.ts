import type {
  NewPasskeyAnswer,
  PasskeyAnswer,
  PasskeyOptions,
} from '../../../../shared/api/access-passkeys.ts';
import type { PasskeyTable } from '../../../db/schema/access.ts';
import type { RelyingParty } from './relying-party.ts';

/** Time that a browser waits for the person. */
const WAIT_MS = 5 * 60_000;

/** Loaded with the first passkey: it takes a while, and most installations may have none. */
const library = () => import('@simplewebauthn/server');

/**
 * Returns the options from which the browser creates a passkey that is discoverable without a sign-in name and verifies
 * the person by finger, face or PIN.
 */
export async function creationOptions(facts: {
  party: RelyingParty;
  partyName: string;
  person: { id: string; login: string; displayName: string };
  existing: readonly PasskeyTable[];
}): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: facts.partyName,
    rpID: facts.party.id,
    userName: facts.person.login,
    userDisplayName: facts.person.displayName,
    userID: new TextEncoder().encode(facts.person.id),
    timeout: WAIT_MS,
    attestationType: 'none',
    excludeCredentials: facts.existing.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

/** Returns the options for a signature with a passkey: one of `allowed`, or any of this page when that is null. */
export async function requestOptions(facts: {
  party: RelyingParty;
  allowed: readonly PasskeyTable[] | null;
}): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: facts.party.id,
    timeout: WAIT_MS,
    userVerification: facts.allowed === null ? 'required' : 'preferred',
    ...(facts.allowed === null ? {} : { allowCredentials: facts.allowed.map(toDescriptor) }),
  });
  return { ...options };
}

/** Stored columns of a new passkey. */
interface NewPasskey {
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Checks a new passkey against its challenge; null when anything does not match. */
export async function verifyNewPasskey(facts: {
  party: RelyingParty;
  challenge: string;
  answer: NewPasskeyAnswer;
}): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library();
  if (!(await isPlainAttestation(facts.answer))) return null;
  const checked = await verifyRegistrationResponse({
    response: facts.answer,
    expectedChallenge: facts.challenge,
    expectedOrigin: facts.party.origin,
    expectedRPID: facts.party.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: facts.answer.response.transports ?? [],
  };
}

/** Reason why a signature is invalid. */
export type Unverified = 'counter' | 'signature';

/** Checks a signature of a stored passkey; its new counter, or why it is not accepted. */
export async function verifyUse(facts: {
  party: RelyingParty;
  challenge: string;
  answer: PasskeyAnswer;
  passkey: PasskeyTable;
  mustVerifyUser: boolean;
}): Promise<{ newCounter: number } | Unverified> {
  const { verifyAuthenticationResponse } = await library();
  const { passkey } = facts;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: facts.answer,
      expectedChallenge: facts.challenge,
      expectedOrigin: facts.party.origin,
      expectedRPID: facts.party.id,
      requireUserVerification: facts.mustVerifyUser,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    });
    return verified ? { newCounter: authenticationInfo.newCounter } : 'signature';
  } catch (error) {
    return error instanceof Error && error.message.includes('counter value') ? 'counter' : 'signature';
  }
}

/**
 * Returns true when the attestation has no certificate of the device maker. Such a certificate could name addresses to
 * be fetched.
 */
async function isPlainAttestation({ response }: NewPasskeyAnswer): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
    );
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

function toDescriptor({ credential_id, transports }: PasskeyTable): { id: string; transports: string[] } {
  return { id: credential_id, transports: transportsOf(transports) };
}

function transportsOf(stored: string): string[] {
  return stored === '' ? [] : stored.split(' ');
}
