import { scrypt, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { fingerprintBytes, WORDS_HASH, wordsOf } from '../../../shared/certificate-words.ts';
import type { Identity } from './port.ts';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

const hash = promisify<Uint8Array, string, number, object, Buffer>(scrypt);

/** Returns a function for the words of a server; the words of the last one are kept, because they take a while. */
export function createServerWords(): (server: Identity) => Promise<string[]> {
  let last: { readonly fingerprint: string; readonly words: Promise<string[]> } | null = null;
  return ({ certificate }) => {
    const fingerprint = comparedFingerprint(certificate);
    if (last?.fingerprint !== fingerprint) last = { fingerprint, words: certificateWords(fingerprint) };
    return last.words;
  };
}

/** Returns the fingerprint that the window of another computer confirms for this chain in PEM. */
function comparedFingerprint(chain: string): string {
  const [server = '', above] = chain.match(PEM) ?? [];
  const shown = new X509Certificate(server);
  const issuer = above === undefined ? null : new X509Certificate(above);
  const isRoot = issuer?.ca && issuer.checkIssued(issuer) && shown.checkIssued(issuer);
  return isRoot ? issuer.fingerprint256 : shown.fingerprint256;
}

/** Returns the six words of a SHA-256 fingerprint, written as pairs of hex digits. */
async function certificateWords(fingerprint: string): Promise<string[]> {
  const { salt, bytes, cost, blockSize, parallelization, memory } = WORDS_HASH;
  const options = { cost, blockSize, parallelization, maxmem: memory };
  const [digest, { wordlist }] = await Promise.all([
    hash(fingerprintBytes(fingerprint), salt, bytes, options),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  return wordsOf(digest, wordlist);
}
