import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** What a server shows and proves itself with. PEM. */
export interface Identity {
  /** The server's certificate, followed by those between it and its root. */
  readonly certificate: string;
  readonly key: string;
}

/** What a person wants to know of a certificate. */
export interface CertificateFacts {
  /** SHA-256, upper-case hex in pairs. */
  readonly fingerprint: string;
  /** The common name; an empty text when there is none. */
  readonly title: string;
  /** Host names and addresses, without patterns. */
  readonly names: readonly string[];
  /** Epoch milliseconds. */
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** Certificates that cannot be used. The message is one sentence for a person. */
export class CertificateError extends Error {
  override name = 'CertificateError';
}

/** Reads the first certificate of a PEM text. Throws what `node:crypto` throws. */
export function factsOf(certificate: string): CertificateFacts {
  const { fingerprint256, subject, subjectAltName, validFromDate, validToDate } = new X509Certificate(
    certificate,
  );
  return {
    fingerprint: fingerprint256,
    title: /^CN=(.+)$/mu.exec(subject ?? '')?.[1] ?? '',
    names: namesIn(subjectAltName ?? ''),
    beginsMs: validFromDate.getTime(),
    endsMs: validToDate.getTime(),
  };
}

/** Whether the key is that of the certificate. Throws what `node:crypto` throws. */
export function isPair({ certificate, key }: Identity): boolean {
  const secret: KeyObject = createPrivateKey(key);
  return new X509Certificate(certificate).checkPrivateKey(secret);
}

/** Whether one signed the certificate of the other. */
export function isIssuedBy(server: Identity, root: Identity): boolean {
  const certificate = new X509Certificate(server.certificate);
  const issuer = new X509Certificate(root.certificate);
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** `DNS:fax.example.com, IP Address:FD00:0:0:0:0:0:0:2` */
function namesIn(subjectAltName: string): string[] {
  const entries = subjectAltName.split(', ').flatMap((entry) => {
    const [, name = ''] = /^(?:DNS|IP Address):(.+)$/u.exec(entry) ?? [];
    return name === '' || name.includes('*') ? [] : [name.toLowerCase()];
  });
  return entries.map((name) => (isIP(name) === 6 ? shortIpv6(name) : name));
}

/** An IPv6 address as addresses of pages write it. */
export function shortIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
