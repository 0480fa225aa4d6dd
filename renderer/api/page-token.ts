import { PAGE_TOKEN, PAGE_TOKEN_PARAMETER } from '../../shared/page-token.ts';

const KEY = 'faxdesk.page-token';
const BYTES = 32;

/** Fallback where the browser has no storage for pages: a reload then requires a new sign-in. */
let tokenInMemory: string | null = null;

/** Of this origin, for all its windows: what proves beside the cookie that a request comes from the console. */
export function pageToken(): string {
  const kept = storedToken();
  if (kept !== null) return kept;
  const made = base64Url(crypto.getRandomValues(new Uint8Array(BYTES)));
  try {
    localStorage.setItem(KEY, made);
  } catch {
    tokenInMemory = made;
  }
  return made;
}

/** The next sign-in begins with a new one. */
export function forgetPageToken(): void {
  tokenInMemory = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing is kept.
  }
}

function storedToken(): string | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept !== null && PAGE_TOKEN.test(kept) ? kept : tokenInMemory;
  } catch {
    return tokenInMemory;
  }
}

let addressToken: string | null = null;

/** Known from each look at who is signed in, like the CSRF token. */
export function rememberAddressToken(token: string | null): void {
  addressToken = token;
}

/** An address of the gateway that the browser opens itself, without headers: a picture, a file, a stream. */
export function openedAddress(address: string): string {
  if (addressToken === null) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${PAGE_TOKEN_PARAMETER}=${addressToken}`;
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
