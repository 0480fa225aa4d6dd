import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../server/features/direct/wire/canonical-json.ts';
import { type Card, cardText, makeCard, parseCard } from '../../server/features/direct/wire/card.ts';
import { createSealing, openDocument } from '../../server/features/direct/wire/encryption.ts';
import { sha256Hex } from '../../server/features/direct/wire/keys.ts';
import {
  assertManifestSigned,
  assertReceiptOf,
  type Manifest,
  manifestDigest,
  parseManifest,
} from '../../server/features/direct/wire/manifest.ts';
import {
  assertRequestSigned,
  REQUEST_HEADERS,
  requestSender,
  signRequest,
} from '../../server/features/direct/wire/request-signature.ts';
import {
  assertFresh,
  openSigned,
  type ReceiptStatement,
  type Signed,
  signedText,
  signStatement,
} from '../../server/features/direct/wire/statement.ts';
import { WireError } from '../../server/features/direct/wire/wire-error.ts';
import { bytesOf, inPieces, wireDocument, wireKeys } from '../setup/direct-wire.ts';

const NORTH = wireKeys();
const SOUTH = wireKeys();
const MALLORY = wireKeys();
const BOTH = { from: NORTH, to: SOUTH };
const CONTENT = Buffer.from('%PDF-1.7 a document of a few bytes');
const NOW = Date.parse('2026-11-21T09:00:00.000Z');

const cardOf = (keys: typeof NORTH) =>
  makeCard(
    {
      organization: 'North Clinic',
      fax_number: '+12025550100',
      endpoint: 'https://fax.north.example/gateway',
      signing_key: keys.signingKey,
      exchange_key: keys.exchangeKey,
    },
    keys.signing,
  );

async function faultOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof WireError) return error.fault;
    throw error;
  }
  return 'none';
}

/** Another value of the same kind. */
function altered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return { ...(value as object), direct: 2 };
  const last = value.at(-1) === '4' ? '5' : '4';
  return `${value.slice(0, -1)}${last}`;
}

/** Every object that differs from this one in one member: altered, left out, or of another kind; and one with a further member. */
function tampered(value: object): [how: string, value: object][] {
  return [
    ...Object.entries(value).flatMap(([name, member]): [string, object][] => {
      const { [name]: _left, ...rest } = value as Record<string, unknown>;
      return [
        [`${name} altered`, { ...value, [name]: altered(member) }],
        [`${name} left out`, rest],
        [`${name} null`, { ...value, [name]: null }],
        [`${name} as a list`, { ...value, [name]: [member] }],
      ];
    }),
    ['a further member', { ...value, more: 1 }],
  ];
}

describe('a card', () => {
  const card = cardOf(NORTH);

  test('is read from its line, wrapped by a program or not, and from its JSON', () => {
    const line = cardText(card);
    expect(line).toMatch(/^faxdesk-card:[\w-]+$/u);
    for (const pasted of [
      line,
      `  ${line}\n`,
      line.replace(/(.{60})/gu, '$1\r\n'),
      JSON.stringify(card, null, 2),
    ])
      expect(parseCard(pasted)).toEqual(card);
  });

  test.each(tampered(card))(
    'rule (direct): a card with one thing changed is refused [%s]',
    async (_how, changed) => {
      expect(await faultOf(() => parseCard(JSON.stringify(changed)))).not.toBe('none');
    },
  );

  test('of another version is named as such, not taken for this one', async () => {
    const { signature: _signature, ...content } = card;
    expect(await faultOf(() => parseCard(JSON.stringify({ ...content, direct: 2 })))).toBe('version');
    expect(await faultOf(() => parseCard(JSON.stringify({ ...content, direct: 0, signature: '' })))).toBe(
      'version',
    );
  });

  test('signed by another key is refused', async () => {
    const { signature } = cardOf(MALLORY);
    expect(await faultOf(() => parseCard(JSON.stringify({ ...card, signature })))).toBe('signature');
  });

  test.each([
    'https://user:word@fax.north.example',
    'https://fax.north.example/',
    'https://fax.north.example?a=1',
    'https://fax.north.example#a',
    'ftp://fax.north.example',
    'https://',
    'https://fax north.example',
    `https://fax.example/${'a'.repeat(500)}`,
  ])('cannot have the address %s', async (endpoint) => {
    const { signature: _signature, ...content } = card;
    expect(await faultOf(() => makeCard({ ...content, endpoint }, NORTH.signing))).toBe('malformed');
  });

  test('that is no card, or far too long, is refused without work', async () => {
    for (const text of [
      '',
      'faxdesk-card:',
      'faxdesk-card:!!',
      '{',
      '[]',
      'null',
      `{"direct":1,"a":"${'['.repeat(3_000)}"}`,
    ])
      expect(await faultOf(() => parseCard(text))).toBe('malformed');
    expect(await faultOf(() => parseCard('x'.repeat(10_000_000)))).toBe('oversized');
    expect(await faultOf(() => parseCard(`${' '.repeat(8_000)}{`))).toBe('malformed');
  });
});

describe('a statement', () => {
  const statement = {
    direct: 1,
    type: 'verification',
    from: NORTH.signingKey,
    to: SOUTH.signingKey,
    time: '2026-11-21T09:00:00.000Z',
    code: '1234567890',
  } as const;
  const signed = signStatement(statement, NORTH.signing);
  const open = (value: unknown) =>
    openSigned(Buffer.from(typeof value === 'string' ? value : canonicalJson(value)), ['verification']);

  test('that was signed opens', () => {
    expect(open(signedText(signed))).toEqual(signed);
  });

  test.each(tampered(statement))(
    'rule (direct): a statement with one thing changed is refused [%s]',
    async (_how, changed) => {
      expect(await faultOf(() => open({ ...signed, statement: changed }))).not.toBe('none');
    },
  );

  test.each(tampered(signed))('refuses its envelope with %s', async (_how, changed) => {
    expect(await faultOf(() => open(changed))).not.toBe('none');
  });

  test('of another type, with another signature or in another form is refused', async () => {
    expect(await faultOf(() => openSigned(Buffer.from(signedText(signed)), ['receipt', 'refused']))).toBe(
      'malformed',
    );
    const { signature } = signStatement(statement, MALLORY.signing);
    expect(await faultOf(() => open({ statement, signature }))).toBe('signature');
    expect(await faultOf(() => open(JSON.stringify(signed, null, 1)))).toBe('malformed');
    expect(await faultOf(() => open('x'.repeat(16_385)))).toBe('oversized');
  });

  test('a signature in another base64url form of the same bytes is refused', async () => {
    // 64 bytes leave four unused bits in the last character.
    const last = signed.signature.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = `${signed.signature.slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`;
    expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from(signed.signature, 'base64url'));
    expect(await faultOf(() => open({ statement, signature: twin }))).toBe('malformed');
  });

  test('is stale a moment after its time, before and after', async () => {
    const day = 24 * 3_600_000;
    for (const now of [NOW - day, NOW, NOW + day])
      expect(await faultOf(() => assertFresh(statement.time, now, day))).toBe('none');
    for (const now of [NOW - day - 1, NOW + day + 1])
      expect(await faultOf(() => assertFresh(statement.time, now, day))).toBe('stale');
  });

  test.each([
    '2026-11-21 09:00:00Z',
    '2026-11-21T09:00:00+00:00',
    '2026-13-21T09:00:00Z',
    '2026-11-21T09:00:00.0001Z',
  ])('cannot have the time %s', async (time) => {
    expect(await faultOf(() => open(signStatement({ ...statement, time }, NORTH.signing)))).toBe('malformed');
  });
});

describe('a manifest', async () => {
  const { manifest, signed } = await wireDocument(CONTENT, BOTH);
  const check = (value: unknown, signature = signed.signature) =>
    assertManifestSigned(parseManifest(Buffer.from(canonicalJson(value))), signature);

  test('that was signed is right', async () => {
    expect(await faultOf(() => check(manifest))).toBe('none');
    expect(parseManifest(Buffer.from(signed.text))).toEqual(manifest);
  });

  test.each(tampered(manifest))(
    'rule (direct): a manifest with one thing changed is refused [%s]',
    async (_how, changed) => {
      expect(await faultOf(() => check(changed))).not.toBe('none');
    },
  );

  test('of another message does not take its signature', async () => {
    const other = await wireDocument(CONTENT, BOTH, { message_id: 'f'.repeat(32) });
    expect(await faultOf(() => check(other.manifest, signed.signature))).toBe('signature');
    expect(await faultOf(() => check(manifest, ''))).toBe('malformed');
  });

  test('that is larger than allowed is not parsed', async () => {
    const text = canonicalJson({ ...manifest, more: 'x'.repeat(16_384) });
    expect(await faultOf(() => parseManifest(Buffer.from(text)))).toBe('oversized');
  });
});

describe('a receipt', async () => {
  const { manifest } = await wireDocument(CONTENT, BOTH);
  const statement: ReceiptStatement = {
    direct: 1,
    type: 'receipt',
    from: SOUTH.signingKey,
    to: NORTH.signingKey,
    time: '2026-11-21T09:00:01.000Z',
    message_id: manifest.message_id,
    sha256: manifest.sha256,
    size_bytes: manifest.size_bytes,
    received_at: '2026-11-21T09:00:01.000Z',
    manifest_sha256: manifestDigest(manifest),
  };
  const receiptOf = (changes: Partial<ReceiptStatement>, keys = SOUTH): Signed<ReceiptStatement> =>
    signStatement({ ...statement, ...changes }, keys.signing);
  const check = (receipt: Signed<ReceiptStatement>) => assertReceiptOf(receipt, manifest, [SOUTH.signingKey]);

  test('of the partner for this manifest is right', async () => {
    expect(await faultOf(() => check(receiptOf({})))).toBe('none');
  });

  test.each<[string, Partial<ReceiptStatement>]>([
    ['to', { to: MALLORY.signingKey }],
    ['message_id', { message_id: 'f'.repeat(32) }],
    ['sha256', { sha256: 'f'.repeat(64) }],
    ['size_bytes', { size_bytes: 1 }],
    ['manifest_sha256', { manifest_sha256: 'f'.repeat(64) }],
  ])('rule (direct): a receipt proves exactly one document [with another %s]', async (_what, changes) => {
    expect(await faultOf(() => check(receiptOf(changes)))).toBe('mismatch');
  });

  test('of anybody else is none', async () => {
    expect(await faultOf(() => check(receiptOf({ from: MALLORY.signingKey }, MALLORY)))).toBe('mismatch');
    expect(await faultOf(() => check(receiptOf({}, MALLORY)))).toBe('signature');
  });
});

describe('the encryption', async () => {
  const sent = await wireDocument(CONTENT, BOTH);
  const open = (manifest: Manifest, sealed: Buffer, { keys = SOUTH, size = 7 } = {}) =>
    bytesOf(openDocument(manifest, keys.exchange, inPieces(sealed, size)));

  test.each([1, 7, 15, 16, 17, 1_000])('opens the same bytes, in pieces of %i', async (size) => {
    expect(await open(sent.manifest, sent.sealed, { size })).toEqual(CONTENT);
    expect(sent.sealed.length).toBe(sent.manifest.sealed_size_bytes);
    expect(sent.sealed.includes(CONTENT.subarray(0, 8))).toBe(false);
  });

  test('is different each time', async () => {
    const again = await wireDocument(CONTENT, BOTH);
    expect(again.sealed).not.toEqual(sent.sealed);
    expect(again.manifest.ephemeral_key).not.toBe(sent.manifest.ephemeral_key);
  });

  test('rule (direct): a changed byte, wherever it is, is found before the document is used', async () => {
    for (let at = 0; at < sent.sealed.length; at += 1) {
      const sealed = Buffer.from(sent.sealed);
      sealed[at] = (sealed[at] ?? 0) ^ 1;
      expect(await faultOf(() => open(sent.manifest, sealed))).toBe('tampered');
    }
  });

  test('finds a document that was cut, lengthened or exchanged', async () => {
    const { sealed, manifest } = sent;
    expect(await faultOf(() => open(manifest, sealed.subarray(0, -1)))).toBe('tampered');
    expect(await faultOf(() => open(manifest, Buffer.alloc(0)))).toBe('tampered');
    expect(await faultOf(() => open(manifest, Buffer.concat([sealed, Buffer.alloc(1)])))).toBe('tampered');
    const other = await wireDocument(CONTENT, BOTH);
    expect(await faultOf(() => open(manifest, other.sealed))).toBe('tampered');
  });

  test.each<[string, Partial<Manifest>]>([
    ['message_id', { message_id: 'f'.repeat(32) }],
    ['from', { from: MALLORY.signingKey }],
    ['to', { to: MALLORY.signingKey }],
    ['sha256', { sha256: sha256Hex('another') }],
    ['iv', { iv: Buffer.alloc(12).toString('base64url') }],
    ['ephemeral_key', { ephemeral_key: MALLORY.exchangeKey }],
  ])('is bound to %s', async (_name, changes) => {
    expect(await faultOf(() => open({ ...sent.manifest, ...changes }, sent.sealed))).toBe('tampered');
  });

  test('opens with no other key, and not with a key of small order', async () => {
    expect(await faultOf(() => open(sent.manifest, sent.sealed, { keys: MALLORY }))).toBe('tampered');
    const zero = Buffer.alloc(32).toString('base64url');
    expect(await faultOf(() => open({ ...sent.manifest, ephemeral_key: zero }, sent.sealed))).toBe(
      'malformed',
    );
    expect(await faultOf(() => createSealing(sent.manifest, zero))).toBe('malformed');
  });

  test('sends no tag for a document that is not the one that was described', async () => {
    for (const content of [Buffer.from('another'), Buffer.concat([CONTENT, CONTENT]), Buffer.alloc(0)]) {
      const sealing = createSealing(sent.manifest, SOUTH.exchangeKey);
      expect(await faultOf(() => bytesOf(sealing.seal(inPieces(content))))).toBe('tampered');
    }
  });

  test('stops reading as soon as more comes than the manifest says, and keeps no more than a piece', async () => {
    let given = 0;
    const endless = (async function* () {
      for (;;) {
        given += 1;
        yield Buffer.alloc(16);
      }
    })();
    expect(await faultOf(() => bytesOf(openDocument(sent.manifest, SOUTH.exchange, endless)))).toBe(
      'tampered',
    );
    expect(given).toBeLessThanOrEqual(Math.ceil(sent.sealed.length / 16) + 1);
  });
});

describe('a signed request', () => {
  const request = { method: 'GET', path: '/direct/deliveries/0123456789abcdef0123456789abcdef' };
  const headers = signRequest(request, NORTH.signing, NOW);

  test('names its sender, and is right for five minutes', async () => {
    expect(requestSender(headers)).toBe(NORTH.signingKey);
    const minutes = 5 * 60_000;
    for (const now of [NOW - minutes, NOW + minutes])
      expect(await faultOf(() => assertRequestSigned(request, headers, now))).toBe('none');
    for (const now of [NOW - minutes - 1, NOW + minutes + 1])
      expect(await faultOf(() => assertRequestSigned(request, headers, now))).toBe('stale');
  });

  test.each<[string, object, Record<string, string | undefined>]>([
    ['another path', { path: `${request.path.slice(0, -1)}0` }, {}],
    ['another method', { method: 'POST' }, {}],
    ['another time', {}, { [REQUEST_HEADERS.time]: '2026-11-21T09:00:01.000Z' }],
    ['another key', {}, { [REQUEST_HEADERS.key]: MALLORY.signingKey }],
    ['no key', {}, { [REQUEST_HEADERS.key]: undefined }],
    ['no signature', {}, { [REQUEST_HEADERS.signature]: undefined }],
    ['two keys', {}, { [REQUEST_HEADERS.key]: `${NORTH.signingKey}, ${NORTH.signingKey}` }],
  ])('is refused with %s', async (_how, changes, others) => {
    const act = () => assertRequestSigned({ ...request, ...changes }, { ...headers, ...others }, NOW);
    expect(await faultOf(act)).not.toBe('none');
  });
});

test('a card of the largest size fits into a QR code and is parsed', () => {
  const large: Card = makeCard(
    {
      organization: 'Ä'.repeat(100),
      fax_number: '+123456789012345',
      endpoint: `https://fax.example/${'a'.repeat(480)}`,
      signing_key: NORTH.signingKey,
      exchange_key: NORTH.exchangeKey,
    },
    NORTH.signing,
  );
  const line = cardText(large);
  expect(parseCard(line)).toEqual(large);
  // A QR code of the level L has room for 2,953 bytes.
  expect(line.length).toBeLessThan(2_953);
});
