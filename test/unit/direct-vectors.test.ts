import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../server/features/direct/wire/canonical-json.ts';
import { parseCard } from '../../server/features/direct/wire/card.ts';
import { openDocument } from '../../server/features/direct/wire/encryption.ts';
import {
  assertManifestSigned,
  type Manifest,
  parseManifest,
} from '../../server/features/direct/wire/manifest.ts';
import { assertRequestSigned } from '../../server/features/direct/wire/request-signature.ts';
import { openSigned, type Signed, signStatement } from '../../server/features/direct/wire/statement.ts';
import vectors from '../fixtures/direct-vectors.json' with { type: 'json' };
import { bytesOf, inPieces, wireDocument, wireKeys } from '../setup/direct-wire.ts';

const run = promisify(execFile);
const TYPES = ['verification', 'verified', 'refused', 'key_change', 'revoked', 'receipt', 'status'] as const;
const { keys, card, statements, delivery, request } = vectors;

/** The DER head of a public key (SubjectPublicKeyInfo), before its 32 bytes. */
const HEADS = { ed25519: '302a300506032b6570032100', x25519: '302a300506032b656e032100' };
const publicDer = (kind: keyof typeof HEADS, key: string) =>
  Buffer.concat([Buffer.from(HEADS[kind], 'hex'), Buffer.from(key, 'base64url')]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-vectors-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Verifies an Ed25519 signature by the program `openssl`. */
async function isVerified(message: string, signature: string, signingKey: string): Promise<boolean> {
  const key = await file('public.der', publicDer('ed25519', signingKey));
  const input = await file('message', message);
  const signed = await file('signature', Buffer.from(signature, 'base64url'));
  const words = ['-pubin', '-inkey', key, '-keyform', 'DER', '-rawin', '-in', input, '-sigfile', signed];
  return run('openssl', ['pkeyutl', '-verify', ...words]).then(
    () => true,
    (error: { stdout?: string }) => {
      if (error.stdout?.includes('Verification Failure')) return false;
      throw error;
    },
  );
}

/** Decrypts a document by `openssl` (X25519 and HKDF) and WebCrypto (AES-GCM), as docs/direct-delivery.md says. */
async function decryptElsewhere(
  manifest: Manifest,
  sealed: Buffer,
  exchangePrivate: Buffer,
): Promise<Buffer> {
  const own = await file('own.der', exchangePrivate);
  const peer = await file('peer.der', publicDer('x25519', manifest.ephemeral_key));
  const secret = join(folder, 'secret');
  const sides = ['-inkey', own, '-keyform', 'DER', '-peerkey', peer, '-peerform', 'DER', '-out', secret];
  await run('openssl', ['pkeyutl', '-derive', ...sides]);
  const options = [
    'digest:SHA256',
    `hexkey:${(await readFile(secret)).toString('hex')}`,
    `hexsalt:${manifest.message_id}`,
    'info:faxdesk-direct-v1',
  ].flatMap((option) => ['-kdfopt', option]);
  const { stdout } = await run('openssl', ['kdf', '-keylen', '32', ...options, 'HKDF']);
  const bytes = Buffer.from(stdout.replaceAll(/[:\s]/gu, ''), 'hex');
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);
  const { from, message_id, sha256, to } = manifest;
  const additionalData = Buffer.from(canonicalize({ to, sha256, message_id, from }) ?? '');
  const iv = Buffer.from(manifest.iv, 'base64url');
  return Buffer.from(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed));
}

describe('canonical JSON', () => {
  test('rule (direct): another implementation of RFC 8785 writes the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: 1_000 },
    );
    const texts = [card.json, ...Object.values(statements), delivery.manifest];
    for (const text of texts) expect(canonicalize(JSON.parse(text))).toBe(text);
  });
});

describe('signatures', () => {
  const signed = Object.entries(statements).map(
    ([name, text]) => [name, JSON.parse(text) as Signed] as const,
  );

  test.each(signed)(
    'rule (direct): openssl verifies every statement, and no other [%s]',
    async (_name, { statement, signature }) => {
      const message = canonicalize(statement) ?? '';
      expect(await isVerified(message, signature, statement.from)).toBe(true);
      expect(await isVerified(`${message} `, signature, statement.from)).toBe(false);
    },
  );

  test('openssl verifies card, manifest and request', async () => {
    const { signature, ...content } = JSON.parse(card.json) as Record<string, string>;
    expect(await isVerified(canonicalize(content) ?? '', signature ?? '', content['signing_key'] ?? '')).toBe(
      true,
    );
    expect(await isVerified(delivery.manifest, delivery.signature, keys.north.signing_key)).toBe(true);
    const { 'x-direct-time': time, 'x-direct-signature': own } = request.headers;
    const message = [request.method, request.path, time].join('\n');
    expect(await isVerified(message, own, keys.north.signing_key)).toBe(true);
  });

  test('what openssl signs is accepted', async () => {
    const statement = { ...JSON.parse(statements.revoked).statement, time: '2026-12-01T00:00:00Z' } as object;
    const key = await file('private.der', Buffer.from(keys.north.signing_private, 'base64'));
    const input = await file('message', canonicalize(statement) ?? '');
    const output = join(folder, 'made');
    await run('openssl', [
      'pkeyutl',
      '-sign',
      '-inkey',
      key,
      '-keyform',
      'DER',
      '-rawin',
      '-in',
      input,
      '-out',
      output,
    ]);
    const signature = (await readFile(output)).toString('base64url');
    const body = Buffer.from(canonicalize({ statement, signature }) ?? '');
    expect(openSigned(body, ['revoked']).statement.time).toBe('2026-12-01T00:00:00Z');
  });

  test('the vectors are what this version makes and accepts', () => {
    expect(parseCard(card.text)).toEqual(JSON.parse(card.json));
    const privateOf = { [keys.north.signing_key]: keys.north, [keys.south.signing_key]: keys.south };
    for (const [, { statement, signature }] of signed) {
      const der = Buffer.from(privateOf[statement.from]?.signing_private ?? '', 'base64');
      const key = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
      expect(signStatement(statement, key).signature).toBe(signature);
      expect(openSigned(Buffer.from(canonicalJson({ statement, signature })), TYPES).statement).toEqual(
        statement,
      );
    }
    const manifest = parseManifest(Buffer.from(delivery.manifest));
    assertManifestSigned(manifest, delivery.signature);
    assertRequestSigned(request, request.headers, Date.parse(request.headers['x-direct-time']));
  });
});

describe('encryption', () => {
  const manifest = parseManifest(Buffer.from(delivery.manifest));
  const exchange = Buffer.from(keys.south.exchange_private, 'base64');
  const document = Buffer.from(delivery.document, 'base64url');

  test('rule (direct): openssl and WebCrypto decrypt a document, and so does this version', async () => {
    const sealed = Buffer.from(delivery.sealed, 'base64url');
    expect(await decryptElsewhere(manifest, sealed, exchange)).toEqual(document);
    const key = createPrivateKey({ key: exchange, type: 'pkcs8', format: 'der' });
    expect(await bytesOf(openDocument(manifest, key, inPieces(sealed)))).toEqual(document);
  });

  test('a document that is encrypted now is decrypted elsewhere, whatever its size', async () => {
    const [from, to] = [wireKeys(), wireKeys()];
    const der = to.exchange.export({ type: 'pkcs8', format: 'der' });
    for (const size of [1, 16, 100_001]) {
      const content = Buffer.alloc(size, 'the original ');
      const sent = await wireDocument(content, { from, to });
      expect((await decryptElsewhere(sent.manifest, sent.sealed, der)).equals(content)).toBe(true);
    }
  });
});
