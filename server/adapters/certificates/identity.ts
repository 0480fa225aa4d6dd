import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { shortIpv6 } from '../../platform/ipv6.ts';
import type { CertificateFacts, Identity } from './port.ts';

/** Reads the first certificate of a PEM text. Throws the errors of `node:crypto`. */
export function factsOf(certificate: string): CertificateFacts {
  const { fingerprint256, subject, subjectAltName, validFromDate, validToDate } = new X509Certificate(
    certificate,
  );
  return {
    fingerprint: fingerprint256,
    title: /^CN=(.+)$/mu.exec(subject ?? '')?.[1] ?? '',
    names: parseAltNames(subjectAltName ?? ''),
    beginsMs: validFromDate.getTime(),
    endsMs: validToDate.getTime(),
  };
}

/** Returns true when the key belongs to the certificate. Throws the errors of `node:crypto`. */
export function isPair({ certificate, key }: Identity): boolean {
  const secret: KeyObject = createPrivateKey(key);
  return new X509Certificate(certificate).checkPrivateKey(secret);
}

/** Returns true when the server certificate was signed by the root. */
export function isIssuedBy(server: Identity, root: Identity): boolean {
  const certificate = new X509Certificate(server.certificate);
  const issuer = new X509Certificate(root.certificate);
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** `DNS:fax.example.com, IP Address:FD00:0:0:0:0:0:0:2` */
function parseAltNames(subjectAltName: string): string[] {
  const entries = subjectAltName.split(', ').flatMap((entry) => {
    const [, name = ''] = /^(?:DNS|IP Address):(.+)$/u.exec(entry) ?? [];
    return name === '' || name.includes('*') ? [] : [name.toLowerCase()];
  });
  return entries.map((name) => (isIP(name) === 6 ? shortIpv6(name) : name));
}
