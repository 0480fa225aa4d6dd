import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Certificate with its key, made for a test. */
export interface MadeCertificate {
  readonly certificate: string;
  readonly key: string;
}

export function makeCertificate(folder: string): MadeCertificate {
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-keyout', key];
  const subject = ['-subj', '/C=DE/O=Example Makers, Inc./CN=Example Makers'];
  const use = ['-addext', 'extendedKeyUsage=codeSigning'];
  execFileSync('openssl', [...words, '-out', certificate, ...subject, ...use], { stdio: 'pipe' });
  return { certificate, key };
}

/** Subject of the certificate that `makeCertificate` makes, as the list of hashes has it. */
export const MADE_PUBLISHER = String.raw`C=DE, O=Example Makers\, Inc., CN=Example Makers`;

/** Message with a signature in the form that the signatures of programs have. `isOpen`: without lengths, as on macOS. */
export function signatureMessage({ certificate, key }: MadeCertificate, { isOpen = false } = {}): Buffer {
  const words = ['cms', '-sign', '-binary', '-outform', 'DER', '-signer', certificate, '-inkey', key];
  const form = isOpen ? ['-stream', '-nodetach'] : ['-nodetach'];
  return execFileSync('openssl', [...words, ...form], { input: 'digest of a program', stdio: 'pipe' });
}

/** A program as a signing tool leaves it: its header names a table at the end with the message. */
export function signedWindowsProgram(program: Buffer, message: Buffer): Buffer {
  const bytes = Buffer.concat([program, Buffer.alloc(-program.length & 7)]);
  const optional = bytes.readUInt32LE(0x3c) + 24;
  const entry = optional + (bytes.readUInt16LE(optional) === 0x20b ? 112 : 96) + 32;
  const table = Buffer.concat([Buffer.alloc(8), message, Buffer.alloc(-message.length & 7)]);
  table.writeUInt32LE(8 + message.length, 0);
  table.writeUInt16LE(0x200, 4);
  table.writeUInt16LE(2, 6);
  bytes.writeUInt32LE(bytes.length, entry);
  bytes.writeUInt32LE(table.length, entry + 4);
  return Buffer.concat([bytes, table]);
}

/** A program of macOS with one command, the one that names its signature; null for none, empty for one without a certificate. */
export function macProgram(message: Buffer | null): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(0xfeed_facf, 0);
  head.writeUInt32LE(0x0100_000c, 4);
  head.writeUInt32LE(message === null ? 1 : 2, 16);
  const other = Buffer.alloc(24);
  other.writeUInt32LE(0x1b, 0);
  other.writeUInt32LE(24, 4);
  const command = Buffer.alloc(message === null ? 0 : 16);
  const place = 32 + 24 + 16 + 64;
  if (message !== null) [0x1d, 16, place].forEach((word, index) => command.writeUInt32LE(word, index * 4));
  head.writeUInt32LE(other.length + command.length, 20);
  const program = Buffer.concat([head, other, command, Buffer.alloc(64, 'code')]);
  return message === null ? program : Buffer.concat([program, macSignature(message)]);
}

/** Two parts: the directory of the code and the message. */
function macSignature(message: Buffer): Buffer {
  const words = [0xfade_0cc0, 0, 2, 0, 28, 0x1_0000, 28 + 12, 0xfade_0c02, 12, 0, 0xfade_0b01];
  const head = Buffer.alloc(words.length * 4 + 4);
  [...words, 8 + message.length].forEach((word, index) => head.writeUInt32BE(word, index * 4));
  return Buffer.concat([head, message]);
}

/** One file with the programs of two processors. */
export function fatProgram(first: Buffer, second: Buffer): Buffer {
  const head = Buffer.alloc(8 + 2 * 20);
  const words = [0xcafe_babe, 2, 0x0100_0007, 0, head.length, first.length, 0];
  [...words, 0x0100_000c, 0, head.length + first.length, second.length, 0].forEach((word, index) =>
    head.writeUInt32BE(word, index * 4),
  );
  return Buffer.concat([head, first, second]);
}

/** Signs a program with a tool that others have written. */
export function signWithTool(path: string, { certificate, key }: MadeCertificate): void {
  const words = ['sign', '-certs', certificate, '-key', key, '-h', 'sha256', '-in', path];
  execFileSync('osslsigncode', [...words, '-out', `${path}.signed`], { stdio: 'pipe' });
  writeFileSync(path, readFileSync(`${path}.signed`));
}
