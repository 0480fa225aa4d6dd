// The certificate library finds its parts with it, so it comes first.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Identity } from './port.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const { subtle } = webcrypto;
const DAY_MS = 24 * 60 * 60_000;
const ROOT_DAYS = 3_652;
const SERVER_DAYS = 90;
/** Clocks of other computers may be behind. */
const BACKDATED_MS = DAY_MS;
/** Characters that a common name may have. */
const MAX_COMMON_NAME_LENGTH = 64;

/** A root that signs certificates of servers and nothing else, for ten years. */
export async function issueRoot(name: string, nowMs: number): Promise<Identity> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: commonName(name),
    ...validity(nowMs, ROOT_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys) };
}

/** A server's certificate for the names and addresses, with a new key, for 90 days. */
export async function issueServer(
  root: Identity,
  names: readonly [string, ...string[]],
  nowMs: number,
): Promise<Identity> {
  const keys = await newKeys();
  const issuer = new X509Certificate(root.certificate);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    issuer: issuer.subjectName,
    subject: commonName(names.find((name) => isIP(name) === 0) ?? names[0]),
    ...validity(nowMs, SERVER_DAYS),
    publicKey: keys.publicKey,
    signingKey: await readKey(root.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function readKey(pem: string): Promise<webcrypto.CryptoKey> {
  return subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);
}

async function keyText({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return PemConverter.encode(await subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}

/** 127 random bits, and positive. */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString('hex');
}

function commonName(text: string): { CN: string[] }[] {
  return [{ CN: [[...text].slice(0, MAX_COMMON_NAME_LENGTH).join('')] }];
}

function validity(nowMs: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - BACKDATED_MS), notAfter: new Date(nowMs + days * DAY_MS) };
}
