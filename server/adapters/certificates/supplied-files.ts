import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { errorCode } from '../../platform/errors.ts';
import { factsOf, isPair } from './identity.ts';
import { CertificateError, type Identity } from './port.ts';

/**
 * Reads a certificate and its key from files supplied by the administrator. Throws CertificateError with a sentence
 * when they are missing, are not PEM, do not match, or have expired.
 */
export async function readSuppliedFiles(
  files: { certificateFile: string | null; keyFile: string | null },
  nowMs: number,
): Promise<Identity> {
  const { certificateFile, keyFile } = files;
  if (certificateFile === null || keyFile === null)
    throw new CertificateError('Set both HTTPS_CERTIFICATE_FILE and HTTPS_KEY_FILE, or neither.');
  const [certificate, key] = await Promise.all([read(certificateFile), read(keyFile)]);
  const identity = { certificate, key };
  const facts = parseFile(certificateFile, 'certificate', () => factsOf(certificate));
  if (!parseFile(keyFile, 'key', () => isPair(identity)))
    throw new CertificateError(
      `The key in ${keyFile} does not belong to the certificate in ${certificateFile}.`,
    );
  parseFile(certificateFile, 'certificates', () => createSecureContext({ cert: certificate, key }));
  if (facts.endsMs <= nowMs)
    throw new CertificateError(
      `The certificate in ${certificateFile} expired on ${new Date(facts.endsMs).toISOString().slice(0, 10)}.`,
    );
  return identity;
}

/** Of a chain with its key there are a few thousand. */
const MAX_BYTES = 1_000_000;

async function read(path: string): Promise<string> {
  let text: string | null;
  try {
    text = await readSmall(path);
  } catch (error) {
    throw new CertificateError(unreadable(path, errorCode(error)), { cause: error });
  }
  if (text === null) throw new CertificateError(unreadable(path, ''));
  return text;
}

/**
 * The text of a file; null for a pipe, a device, a folder or a larger one, which would hold the gateway up or fill its memory.
 * Follows links, as certificates are renewed by them. Throws the errors of the system.
 */
async function readSmall(path: string): Promise<string | null> {
  // Opening a device can do something by itself.
  if (!(await stat(path)).isFile()) return null;
  // Windows has no such flag: undefined counts as 0.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { size } = await file.stat();
  if (size > MAX_BYTES) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

function unreadable(path: string, code: string): string {
  if (code === 'ENOENT') return `There is no file ${path}.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `Faxdesk cannot read the file ${path}. Give the account that runs Faxdesk permission to read it.`;
  return `The file ${path} cannot be read.`;
}

/** Whoever may set the name of the file must not learn what else lies in it. */
function parseFile<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new CertificateError(`The file ${path} has no usable ${what} in PEM format.`, {
      cause: error,
    });
  }
}
