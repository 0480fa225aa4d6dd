import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAeadCipher } from '../../server/platform/age/chacha20-poly1305.ts';
import { encryptAge } from '../../server/platform/age/encrypt.ts';
import { AgeError } from '../../server/platform/age/errors.ts';
import {
  type AgeIdentity,
  identityFileText,
  makeIdentity,
  parseIdentities,
  parseRecipient,
  recipientOf,
} from '../../server/platform/age/keys.ts';
import { isAgeFile, openAgeFile } from '../../server/platform/age/open-file.ts';

/** Made by age-keygen 1.1.1. */
const IDENTITY_FILE = `# created: 2026-11-28T15:55:14Z
# public key: age1f2ncap7ygc037axsev3xq4znj46mhvp4tpfsv27zeln3ghklevlsm7q85q
AGE-SECRET-KEY-1W78MTN35FJP0XP724GMXZTH7NXJJVMK8NTA0RR0CEJ6P8ACATZ9Q7X3TGH
`;
/** Encrypted for that identity and another one by age 1.1.1. */
const FILE = Buffer.from(
  `YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBrZEIrME5MdjA3by9rdEJyQ2YvTnBtdkJOWWp6OU4rR3p6OUc3ZEJyT0NJCjRldHlBdF
VPNmpQL1dRSTNYUldNaWlpSWUzSVlyeWZhYjlIcGtoWXVWdlkKLT4gWDI1NTE5IHNxOEFrQ1dBWllSd295V1RId3ZrSlZzNU9DaFFJaWloMk9W
UUNNSTVuRnMKSEMzZGV2S0NNR0tna2NQUXhSOTExelppbG52OHJnbDlCeW14QjY4RUVNQQotLS0gMlJpNG1SZ1REL2lqMHQ4a1lEODFkaFNOej
JjV3FBcnVOQnQvQVVqVzhuWQr5pUxE2NU21FZJMqItots5PJx3SneWX+px0te6fuMVZqXu28g7xH66AV0GF361yaRjU7l8DA==`,
  'base64',
);
const PIECE = 64 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-age-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = () => join(folder, 'file.age');

async function open(bytes: Uint8Array, identities: readonly AgeIdentity[]): Promise<Buffer> {
  await writeFile(file(), bytes);
  const opened = await openAgeFile(file(), identities);
  try {
    return await bytesOf(opened.bytes(0, opened.size));
  } finally {
    await opened.close();
  }
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const seal = (plain: Uint8Array, ...identities: AgeIdentity[]) =>
  bytesOf(
    encryptAge(
      inPieces(plain, 40_000),
      identities.map(({ publicKey }) => publicKey),
    ),
  );

describe('a file that age made', () => {
  test('opens with its identity', async () => {
    const identities = parseIdentities(IDENTITY_FILE) ?? [];
    expect((await open(FILE, identities)).toString()).toBe('A fax is on its way.\n');
    expect(await isAgeFile(file())).toBe(true);
  });

  test('has the recipient that age-keygen shows', () => {
    const [identity] = parseIdentities(IDENTITY_FILE) ?? [];
    const recipient = 'age1f2ncap7ygc037axsev3xq4znj46mhvp4tpfsv27zeln3ghklevlsm7q85q';
    expect(recipientOf(identity as AgeIdentity)).toBe(recipient);
    expect(parseRecipient(recipient)).toEqual(Buffer.from((identity as AgeIdentity).publicKey));
    expect(identityFileText(identity as AgeIdentity, '2026-11-28T15:55:14Z')).toBe(IDENTITY_FILE);
  });
});

describe('a file of every length', () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 300_000])(
    'opens whole: %i bytes',
    async (size) => {
      const [one, other] = [makeIdentity(), makeIdentity()];
      const plain = randomBytes(size);
      const sealed = await seal(plain, one, other);
      expect(await open(sealed, [one])).toEqual(plain);
      expect(await open(sealed, [makeIdentity(), other])).toEqual(plain);
    },
  );

  test('is read from any byte to any other', async () => {
    const identity = makeIdentity();
    const plain = randomBytes(3 * PIECE + 7);
    await writeFile(file(), await seal(plain, identity));
    const opened = await openAgeFile(file(), [identity]);
    for (const [start, end] of [
      [0, 1],
      [PIECE - 3, PIECE + 3],
      [10, 2 * PIECE + 10],
      [3 * PIECE, 3 * PIECE + 7],
    ] as const)
      expect(await bytesOf(opened.bytes(start, end))).toEqual(plain.subarray(start, end));
    await opened.close();
  });
});

describe('a file does not open', () => {
  test('with an identity that is none of its recipients', async () => {
    const sealed = await seal(randomBytes(100), makeIdentity());
    await expect(open(sealed, [makeIdentity()])).rejects.toMatchObject({ reason: 'wrong-identity' });
  });

  test('when one byte was flipped, wherever it is', async () => {
    const identity = makeIdentity();
    const sealed = await seal(randomBytes(2 * PIECE + 100), identity);
    const header = sealed.indexOf('\n--- ') + 60;
    const offsets = [...Array.from({ length: header }, (_, at) => at), header + PIECE, sealed.length - 1];
    for (const offset of offsets) {
      const altered = Buffer.from(sealed);
      altered[offset] = (altered[offset] ?? 0) ^ 0x01;
      await expect(open(altered, [identity]), `byte ${offset}`).rejects.toBeInstanceOf(AgeError);
    }
  });

  test('when it was cut off, also between two pieces, or when something follows', async () => {
    const identity = makeIdentity();
    const sealed = await seal(randomBytes(2 * PIECE + 100), identity);
    const end = sealed.length - 116;
    for (const length of [0, 10, 100, 250, end, end - PIECE - 16, end - 2 * (PIECE + 16), sealed.length - 1])
      await expect(open(sealed.subarray(0, length), [identity]), `${length}`).rejects.toBeInstanceOf(
        AgeError,
      );
    await expect(open(Buffer.concat([sealed, Buffer.alloc(1)]), [identity])).rejects.toBeInstanceOf(AgeError);
  });
});

describe('a text that is no key is not taken for one', () => {
  const recipient = recipientOf(makeIdentity());
  test.each([
    '',
    'age1',
    recipient.slice(0, -1),
    `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`,
    recipient.replace('age1', 'agf1'),
    `A${recipient.slice(1)}`,
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZ',
    'age1pq1qqqqqqqq',
  ])('as recipient: %s', (text) => {
    expect(parseRecipient(text)).toBeNull();
  });

  test.each(['', '# nothing', 'AGE-SECRET-KEY-1', 'quiet harbour lantern', recipient])(
    'as identity: %s',
    (text) => {
      expect(parseIdentities(text)).toBeNull();
    },
  );
});

test('the cipher of the package, which Electron needs, makes and opens the same bytes', async () => {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const own = await createAeadCipher(key, { hasOwn: true });
  const packaged = await createAeadCipher(key, { hasOwn: false });
  for (const size of [0, 16, 1000]) {
    const plain = randomBytes(size);
    const sealed = own.seal(nonce, plain);
    expect(Buffer.from(packaged.seal(nonce, plain))).toEqual(sealed);
    expect(Buffer.from(packaged.open(nonce, sealed))).toEqual(plain);
    sealed[0] = (sealed[0] ?? 0) ^ 1;
    expect(() => own.open(nonce, sealed)).toThrow();
    expect(() => packaged.open(nonce, sealed)).toThrow();
  }
});
