import { X509Certificate } from 'node:crypto';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { describe, expect, test } from 'vitest';
import { certificateWords } from '../../main/certificate-words.ts';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { createServerWords } from '../../server/adapters/certificates/words.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { fingerprintBytes, wordsOf } from '../../shared/certificate-words.ts';

const SAME = Array.from({ length: 32 }, () => 'A7').join(':');

describe('the six words of a certificate', () => {
  test('never change, because the gateway and the window may be of different releases', async () => {
    expect(await certificateWords(SAME)).toEqual(['sustain', 'polar', 'fit', 'fabric', 'wood', 'good']);
  });

  test('are others as soon as one bit of the fingerprint is another', async () => {
    const words = await certificateWords(SAME);
    const others = await certificateWords(SAME.replace(/A7$/u, 'A6'));
    expect(others.filter((word, index) => word === words[index])).toEqual([]);
  });

  test('come from 2,048 distinct words, each of which 11 bits choose', () => {
    expect([wordlist.length, new Set(wordlist).size]).toEqual([2048, 2048]);
    expect(wordlist.filter((word) => !/^[a-z]{3,8}$/u.test(word))).toEqual([]);
    expect(wordsOf(new Uint8Array(9), wordlist)).toEqual(Array.from({ length: 6 }, () => wordlist[0]));
    expect(wordsOf(new Uint8Array(9).fill(255), wordlist)).toEqual(
      Array.from({ length: 6 }, () => wordlist[2047]),
    );
    const first = wordsOf(Uint8Array.from([0, 0b0010_0000, 0, 0, 0, 0, 0, 0, 0]), wordlist);
    expect(first.slice(0, 2)).toEqual([wordlist[1], wordlist[0]]);
  });

  test('are those of the root that a server shows with its certificate, else of the certificate', async () => {
    const nowMs = systemClock.now();
    const root = await issueRoot('Office', nowMs);
    const server = await issueServer(root, ['fax.office.example'], nowMs);
    const leaf = server.certificate.split(/(?<=-----END CERTIFICATE-----\n)/u)[0] ?? '';
    const wordsOfServer = createServerWords();
    const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256;
    const chain = { ...server, certificate: `${leaf}${root.certificate}` };
    expect(await wordsOfServer(chain)).toEqual(await certificateWords(fingerprint(root.certificate)));
    expect(await wordsOfServer({ ...server, certificate: leaf })).toEqual(
      await certificateWords(fingerprint(leaf)),
    );
    const stranger = await issueRoot('Office', nowMs);
    const other = { ...server, certificate: `${leaf}${stranger.certificate}` };
    expect(fingerprintBytes(fingerprint(leaf))).toHaveLength(32);
    expect(await wordsOfServer(other)).toHaveLength(6);
  });
});
