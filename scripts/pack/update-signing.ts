import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UPDATE_KEYS_FILE } from '../../main/updates/update-keys.ts';
import { PackError } from './pack-error.ts';

/** Keys of the makers for new versions: both are in the application, and those with a private part sign its entries. */
export interface UpdateSigning {
  readonly privateKeys: readonly KeyObject[];
  readonly publicKeys: readonly KeyObject[];
}

/** Variables with the key, and with one that replaces it or lies ready for that; the second may be a public key. */
export const UPDATE_KEY = 'FAXDESK_UPDATE_KEY';
const SECOND_KEY = 'FAXDESK_UPDATE_KEY_2';

/** Reads the keys from the environment; there are none where it has none. Throws PackError for what is no key. */
export function readUpdateSigning(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): UpdateSigning {
  const names = [UPDATE_KEY, SECOND_KEY].filter((name) => (environment[name] ?? '') !== '');
  const found = names.map((name) => ({ name, ...readKey(name, environment[name] ?? '') }));
  const [first] = found;
  if (first !== undefined && (first.name !== UPDATE_KEY || first.own === null))
    throw new PackError(`${UPDATE_KEY} must be the private key that signs new versions.`);
  return {
    privateKeys: found.flatMap(({ own }) => own ?? []),
    publicKeys: found.map(({ known }) => known),
  };
}

/** Puts the public keys into a staged application. */
export async function stageUpdateKeys({ publicKeys }: UpdateSigning, stage: string): Promise<void> {
  if (publicKeys.length === 0) return;
  const path = join(stage, 'out', 'desktop', UPDATE_KEYS_FILE);
  const texts = publicKeys.map((key) => key.export({ type: 'spki', format: 'pem' }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(texts, null, 2)}\n`);
}

/** Parses a PEM text, the Base64 of one, or the file with it. */
function readKey(name: string, value: string): { own: KeyObject | null; known: KeyObject } {
  try {
    const pem = pemOf(value);
    const known = createPublicKey(pem);
    if (known.asymmetricKeyType !== 'ed25519') throw new Error('it is of another kind');
    return { own: pem.includes('PRIVATE KEY') ? createPrivateKey(pem) : null, known };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PackError(`${name} is no Ed25519 key in PEM, nor a file with one (${reason}).`);
  }
}

function pemOf(value: string): string {
  if (value.includes('-----BEGIN')) return value;
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  return decoded.startsWith('-----BEGIN') ? decoded : readFileSync(value, 'utf8');
}
