import { X509Certificate } from 'node:crypto';
import { get } from 'node:https';
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import type { Session } from 'electron';
import { certificateWords } from './certificate-words.ts';
import type { FoundGateway, NetworkGateway } from './channels.ts';

/** A Faxdesk on another computer, and how it is recognized. */
export interface OtherGateway {
  readonly address: string;
  /**
   * Fingerprint that a person confirmed: of its root when it shows one, because that outlives the certificates it signs, else of its
   * certificate. Null where an authority that this computer trusts confirms its name: such certificates are replaced every few weeks.
   */
  readonly fingerprint: string | null;
}

const TIMEOUT_MS = 8_000;
/** Results for Chromium: accept the certificate despite any other errors, refuse it, or let Chromium decide. */
const ACCEPTED = 0;
const REFUSED = -2;
const AS_CHROMIUM_DECIDES = -3;

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
  const { name, authority } = certificate;
  const fingerprint = authority === null ? certificate.fingerprint : null;
  if ((await probeGateway({ address, fingerprint })) !== 'there')
    return { found: false, sentence: 'The program at that address is not Faxdesk.' };
  const words = fingerprint === null ? [] : await certificateWords(fingerprint);
  return { found: true, address, fingerprint, words, name, authority };
}

/**
 * Finds which of the addresses of an announced gateway answers. An announcement proves nothing: where another root
 * answers than was announced, that is no gateway to confirm. The name of one that an authority confirms is compared by the person.
 */
export async function findAnnounced({
  addresses,
  root,
}: Omit<NetworkGateway, 'name'>): Promise<FoundGateway> {
  // All are tried at once: an address that never answers would delay the next ones.
  const answers = addresses.map((address) => findGateway(address));
  for (const answer of answers) {
    const found = await answer;
    if (found.found && (root === null || found.fingerprint === root || found.authority !== null))
      return found;
  }
  const all = await Promise.all(answers);
  if (all.some(({ found }) => found)) return { found: false, sentence: OTHER_ROOT };
  return all[0] ?? { found: false, sentence: NOBODY_THERE };
}

/** Checks whether the other gateway responds, and still with its certificate. */
export async function probeGateway(other: OtherGateway): Promise<'there' | 'unreachable' | 'changed'> {
  const certificate = await certificateAt(other.address).catch(() => null);
  if (certificate === null) return 'unreachable';
  const isSame =
    other.fingerprint === null
      ? certificate.authority !== null
      : certificate.fingerprint === other.fingerprint;
  if (!isSame) return 'changed';
  return (await isFaxdesk(other).catch(() => false)) ? 'there' : 'unreachable';
}

/** The session speaks to the computer that was confirmed, and to nobody else. */
export function pinCertificate(session: Session, other: OtherGateway): void {
  const { hostname } = new URL(other.address);
  session.setCertificateVerifyProc((request, answer) => {
    if (request.hostname !== withoutBrackets(hostname)) return answer(REFUSED);
    if (other.fingerprint === null) return answer(AS_CHROMIUM_DECIDES);
    const { data, issuerCert } = request.certificate;
    const issuer = issuerCert && new X509Certificate(issuerCert.data);
    const fingerprint = fingerprintOf(new X509Certificate(data), issuer, withoutBrackets(hostname));
    answer(fingerprint === other.fingerprint ? ACCEPTED : REFUSED);
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

interface ShownCertificate {
  /** As `OtherGateway` has it. */
  readonly fingerprint: string;
  readonly name: string;
  /** Name of the authority that this computer trusts for the name of the host; null for none, and for a root that is shown. */
  readonly authority: string | null;
}

/** Roots that come with the application, those of the system, and those of NODE_EXTRA_CA_CERTS. */
let knownRoots: string[] | null = null;
function trustedRoots(): string[] {
  knownRoots ??= ['default', 'system'].flatMap((kind) => getCACertificates(kind as 'default' | 'system'));
  return knownRoots;
}

function certificateAt(address: string): Promise<ShownCertificate> {
  const { hostname, port } = new URL(address);
  const host = withoutBrackets(hostname);
  return new Promise((resolve, reject) => {
    const options = { host, port: Number(port || 443), rejectUnauthorized: false, ca: trustedRoots() };
    const named = /[a-z]/iu.test(host) && !host.includes(':') ? { servername: host } : {};
    const socket = connect({ ...options, ...named }, () => {
      const { subject, issuer } = socket.getPeerCertificate();
      const shown = socket.getPeerX509Certificate();
      const isTrusted = socket.authorized;
      socket.destroy();
      if (shown === undefined) return reject(new Error('no certificate'));
      const fingerprint = fingerprintOf(shown, shown.issuerCertificate, host);
      // A root that is shown can be pinned, which trusts nobody else.
      const isLeaf = fingerprint === shown.fingerprint256;
      const authority = isTrusted && isLeaf ? String(issuer.O ?? issuer.CN ?? host) : null;
      resolve({ fingerprint, name: String(subject?.CN ?? host), authority });
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
