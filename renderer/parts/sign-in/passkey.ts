import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { NewPasskeyAnswer, PasskeyAnswer, PasskeyOptions } from '../../../shared/api/access-passkeys.ts';
import { client } from '../../api/client.ts';
import { PasskeyNotUsedError } from '../../api/sentence.ts';
import { passkeys } from '../../api/two-factor.ts';
import { t } from '../../texts/two-factor.ts';

const words = t.twoFactor.passkeys;
/** No extension is requested, and none is read. */
const NOTHING_ELSE = { clientExtensionResults: {} };

/** Returns a sentence on why this page has no passkeys; null where it has. */
export function passkeyObstacle(): string | null {
  const { hostname, port, protocol } = window.location;
  if (/^(?:\d+\.){3}\d+$|^\[/u.test(hostname)) {
    const isHere = hostname === '[::1]' || hostname.startsWith('127.');
    return isHere ? words.needsLocalhost(`${protocol}//localhost:${port}`) : words.needsName;
  }
  if (!window.isSecureContext) return words.needsHttps;
  return 'PublicKeyCredential' in window ? null : words.unsupported;
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(): Promise<void> {
  const options = await passkeys.passkeyOptions({ body: {} });
  await passkeys.passkeyLogin({ body: { passkey: await sign(options) } });
}

/** Signs in with a passkey after the password, which was right just now. */
export async function signInWithBoth(login: string, password: string): Promise<void> {
  const options = await passkeys.passkeyOptions({ body: { second_factor: true } });
  await client.access.login({ body: { login, password, passkey: await sign(options) } });
}

/** Confirms a change of the own sign-in with a passkey. */
export async function provePasskey(): Promise<PasskeyAnswer> {
  return await sign(await passkeys.passkeyProof());
}

/** Has the browser make a passkey. Throws `PasskeyNotUsedError` when nobody did. */
export async function makePasskey(options: PasskeyOptions): Promise<NewPasskeyAnswer> {
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
  const made = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw new PasskeyNotUsedError(isKnown ? words.known : words.notMade, { cause: error });
  });
  return { ...made, ...NOTHING_ELSE };
}

async function sign(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const signed = await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw new PasskeyNotUsedError(words.notUsed, { cause: error });
  });
  return { ...signed, ...NOTHING_ELSE };
}
