import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCard } from '../../server/features/direct/wire/card.ts';
import { keyDigest } from '../../server/features/direct/wire/keys.ts';
import { manifestDigest } from '../../server/features/direct/wire/manifest.ts';
import { type ReceiptStatement, signStatement } from '../../server/features/direct/wire/statement.ts';
import { wireDocument, wireKeys } from '../setup/direct-wire.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const NORTH = wireKeys();
const SOUTH = wireKeys();
const CONTENT = Buffer.from('%PDF-1.7 the document');

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({
    ...sendingSettings(cli.emulator),
    DIRECT_DELIVERY_ENABLED: 'true',
    DIRECT_ORGANIZATION: 'North Clinic',
    DIRECT_FAX_NUMBER: '+12025550100',
    PUBLIC_API_URL: 'https://fax.north.example',
  });
});
afterAll(() => cli.close());

test('lists the documents exchanged with partners', async () => {
  const { code, out } = await cli.run(['direct', 'deliveries', '--direction', 'sent']);
  expect([code, out.trim()]).toEqual([0, 'No documents were exchanged directly.']);
  const wrong = await cli.run(['direct', 'deliveries', '--direction', 'up']);
  expect(wrong.code).toBe(9);
});

const file = async (name: string, content: string | Buffer) => {
  const path = join(cli.folder, name);
  await writeFile(path, content);
  return path;
};

/** A receipt as the list of documents has it. `changes` are of the signed receipt. */
async function proof(changes: Partial<ReceiptStatement> = {}) {
  const { manifest, signed } = await wireDocument(CONTENT, { from: NORTH, to: SOUTH });
  const receipt: ReceiptStatement = {
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
    ...changes,
  };
  return {
    manifest,
    manifest_signature: signed.signature,
    receipt: signStatement(receipt, SOUTH.signing),
  };
}

test('faxdesk direct card shows the card as facts, as a line and as a QR code; rotate makes new keys', async () => {
  const shown = await cli.run(['direct', 'card']);
  expect([shown.code, shown.err]).toEqual([0, '']);
  expect(shown.out).toMatch(/^Organization: +North Clinic$/mu);
  const { out: line } = await cli.run(['direct', 'card', '--text']);
  const card = parseCard(line);
  expect(shown.out).toContain(line);
  expect(shown.out).toContain(keyDigest(card.signing_key));
  const { out: picture } = await cli.run(['direct', 'card', '--qr']);
  const lines = picture.trimEnd().split('\n');
  expect(new Set(lines.map((each) => each.length)).size).toBe(1);
  expect(lines.length).toBeGreaterThan(30);
  const { out: rotated } = await cli.run(['--json', 'direct', 'rotate']);
  expect((JSON.parse(rotated) as { card: typeof card }).card.signing_key).not.toBe(card.signing_key);
}, 60_000);

test('rule (direct): a receipt is verified on any computer, without a gateway', async () => {
  const path = await file('receipt.json', JSON.stringify(await proof(), null, 2));
  const document = await file('sent.pdf', CONTENT);
  const fingerprint = keyDigest(SOUTH.signingKey);
  const without = { FAXDESK_DATA: join(cli.folder, 'nothing') };
  const plain = await cli.run(['direct', 'verify-receipt', path], without);
  expect([plain.code, plain.err]).toEqual([0, '']);
  expect(plain.out).toContain(`Signed by: ${fingerprint}`);
  expect(plain.out).toContain('Compare the fingerprint');
  const words = [
    '--document',
    document,
    '--fingerprint',
    fingerprint.toUpperCase().replace(/(..)/gu, '$1 ').trim(),
  ];
  const full = await cli.run(['direct', 'verify-receipt', path, ...words]);
  expect(full.out).toContain('The receipt is valid. It is for this document.');
  const page = await file(
    'page.json',
    JSON.stringify({ items: [{ receipt: null }, { receipt: await proof() }] }),
  );
  expect((await cli.json<{ receipts: object[] }>('direct', 'verify-receipt', page)).receipts).toHaveLength(1);
}, 60_000);

test('a receipt that is altered, of another key, for another document, or none at all ends with 1', async () => {
  const good = await proof();
  const altered = { ...good, manifest: { ...good.manifest, recipient_number: '+12025550199' } };
  const files = await Promise.all([
    file('altered.json', JSON.stringify(altered)),
    file('other.json', JSON.stringify(await proof({ sha256: 'f'.repeat(64) }))),
    file('none.json', JSON.stringify({ items: [{ receipt: null }] })),
    file('text.json', 'no JSON'),
  ]);
  for (const path of files) {
    const { code, out, err } = await cli.run(['direct', 'verify-receipt', path]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('The receipt is not valid.');
  }
  const path = await file('good.json', JSON.stringify(good));
  const check = (...words: string[]) => cli.run(['direct', 'verify-receipt', path, ...words]);
  expect((await check('--fingerprint', keyDigest(NORTH.signingKey))).code).toBe(1);
  expect((await check('--fingerprint', 'abc')).code).toBe(9);
  expect((await check('--document', path)).err).toContain('The receipt is for another document.');
}, 60_000);
