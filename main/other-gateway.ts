import { X509Certificate } from 'node:crypto';
import { get } from 'node:https';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Session } from 'electron';
import { certificateWords } from './certificate-words.ts';
import type { FoundGateway, NetworkGateway } from './channels.ts';

/** A Faxdesk on another computer, with the certificate that a person confirmed. */
export interface OtherGateway {
  readonly address: string;
  /** Of its root when it shows one, because that outlives the certificates it signs; else of its certificate. */
  readonly fingerprint: string;
}

const TIMEOUT_MS = 8_000;
/** Results for Chromium: accept the certificate despite any other errors, or refuse it. */
const ACCEPTED = 0;
const REFUSED = -2;

const NOT_AN_ADDRESS =
  'Faxdesk cannot use that address. Enter one that begins with https:// and a name, such as https://fax.example.org.';
const NO_ANSWER =
  'Nothing at that address answers over HTTPS. Check the address, and check that the other computer is on.';

const NOBODY_THERE = 'That computer does not say where Faxdesk can be reached. Type its address instead.';
const OTHER_ROOT =
  'The certificate at that address is not the one that the computer announced. Ask the person who manages it.';

/** Finds the gateway at an address that a person typed, and the certificate that it shows. */
export async function findGateway(typed: string): Promise<FoundGateway> {
  const address = addressOf(typed);
  if (address === null) return { found: false, sentence: NOT_AN_ADDRESS };
  const certificate = await certificateAt(address).catch(() => null);
  if (certificate === null) return { found: false, sentence: NO_ANSWER };
  const { fingerprint, name } = certificate;
  if ((await probeGateway({ address, fingerprint })) !== 'there')
    return { found: false, sentence: 'The program at that address is not Faxdesk.' };
  return { found: true, address, fingerprint, words: await certificateWords(fingerprint), name };
}

/**
 * Finds which of the addresses of an announced gateway answers. An announcement proves nothing: where another root
 * answers than was announced, that is no gateway to confirm.
 */
export async function findAnnounced({
  addresses,
  root,
}: Omit<NetworkGateway, 'name'>): Promise<FoundGateway> {
  // All are tried at once: an address that never answers would delay the next ones.
  const answers = addresses.map((address) => findGateway(address));
  for (const answer of answers) {
    const found = await answer;
    if (found.found && (root === null || found.fingerprint === root)) return found;
  }
  const all = await Promise.all(answers);
  if (all.some(({ found }) => found)) return { found: false, sentence: OTHER_ROOT };
  return all[0] ?? { found: false, sentence: NOBODY_THERE };
}

/** Checks whether the other gateway responds, and still with its certificate. */
export async function probeGateway(other: OtherGateway): Promise<'there' | 'unreachable' | 'changed'> {
  const certificate = await certificateAt(other.address).catch(() => null);
  if (certificate === null) return 'unreachable';
  if (certificate.fingerprint !== other.fingerprint) return 'changed';
  return (await isFaxdesk(other).catch(() => false)) ? 'there' : 'unreachable';
}

/** The session speaks to the computer whose certificate was confirmed, and to nobody else. */
export function pinCertificate(session: Session, other: OtherGateway): void {
  const { hostname } = new URL(other.address);
  session.setCertificateVerifyProc((request, answer) => {
    const { data, issuerCert } = request.certificate;
    const issuer = issuerCert && new X509Certificate(issuerCert.data);
    const fingerprint = fingerprintOf(new X509Certificate(data), issuer, withoutBrackets(hostname));
    const fits = request.hostname === withoutBrackets(hostname) && fingerprint === other.fingerprint;
    answer(fits ? ACCEPTED : REFUSED);
  });
}

/**
 * Returns the fingerprint that a person confirms for a host: that of the root that signed its certificate for that
 * name, when the host sends it as well.
 */
function fingerprintOf(shown: X509Certificate, issuer: X509Certificate | undefined, host: string): string {
  if (!issuer?.checkIssued(issuer) || !issuer.ca || !shown.checkIssued(issuer)) return shown.fingerprint256;
  const isNamed = (isIP(host) === 0 ? shown.checkHost(host) : shown.checkIP(host)) !== undefined;
  const isInTime = shown.validFromDate.getTime() <= Date.now() && Date.now() < shown.validToDate.getTime();
  return isNamed && isInTime && shown.verify(issuer.publicKey) ? issuer.fingerprint256 : shown.fingerprint256;
}

function addressOf(typed: string): string | null {
  const text = typed.trim();
  const url = URL.parse(/^[a-z]+:\/\//iu.test(text) ? text : `https://${text}`);
  if (url?.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '')
    return null;
  return url.origin;
}

function certificateAt(address: string): Promise<{ fingerprint: string; name: string }> {
  const { hostname, port } = new URL(address);
  const host = withoutBrackets(hostname);
  return new Promise((resolve, reject) => {
    const options = { host, port: Number(port || 443), rejectUnauthorized: false };
    const named = /[a-z]/iu.test(host) && !host.includes(':') ? { servername: host } : {};
    const socket = connect({ ...options, ...named }, () => {
      const { subject } = socket.getPeerCertificate();
      const shown = socket.getPeerX509Certificate();
      socket.destroy();
      if (shown === undefined) reject(new Error('no certificate'));
      else
        resolve({
          fingerprint: fingerprintOf(shown, shown.issuerCertificate, host),
          name: String(subject?.CN ?? host),
        });
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
  });
}

/** Requests what every Faxdesk returns to anybody; sends nothing secret. */
function isFaxdesk({ address }: OtherGateway): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const request = get(`${address}/health`, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200 && response.headers['x-request-id'] !== undefined);
    });
    request.on('error', reject);
  });
}

/** IPv6 addresses stand in brackets only in addresses of pages. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1');
}
