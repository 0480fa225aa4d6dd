import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { fingerprintBytes, WORDS_HASH, wordsOf } from '../shared/certificate-words.ts';

const hash = promisify<Uint8Array, string, number, object, Buffer>(scrypt);

/** Returns the six words of a certificate with this SHA-256 fingerprint, as the gateway shows them too. */
export async function certificateWords(fingerprint: string): Promise<string[]> {
  const { salt, bytes, cost, blockSize, parallelization, memory } = WORDS_HASH;
  const options = { cost, blockSize, parallelization, maxmem: memory };
  const [digest, { wordlist }] = await Promise.all([
    hash(fingerprintBytes(fingerprint), salt, bytes, options),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  return wordsOf(digest, wordlist);
}
