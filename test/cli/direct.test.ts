import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { parseCard } from '../../server/features/direct/wire/card.ts';
import { keyDigest } from '../../server/features/direct/wire/keys.ts';
import { manifestDigest } from '../../server/features/direct/wire/manifest.ts';
import {
  parseSigned,
  type ReceiptStatement,
  signStatement,
} from '../../server/features/direct/wire/statement.ts';
import { wireDocument, wireKeys } from '../setup/direct-wire.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const NORTH = wireKeys();
const SOUTH = wireKeys();
const CONTENT = Buffer.from('%PDF-1.7 the document');

let cli: CommandLine;
let partner: FakePartner;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({
    ...sendingSettings(cli.emulator),
    DIRECT_DELIVERY_ENABLED: 'true',
    DIRECT_ORGANIZATION: 'North Clinic',
    DIRECT_FAX_NUMBER: '+12025550100',
    DIRECT_ALLOW_PRIVATE_PEERS: 'true',
    PUBLIC_API_URL: 'https://fax.north.example',
  });
  partner = await startFakePartner('Riverside Pharmacy', '+12025550143');
});
afterAll(() => Promise.all([cli.close(), partner?.close()]));

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

describe('faxdesk direct partners', () => {
  const run = (...words: string[]) => cli.run(['direct', 'partners', ...words]);
  const json = <T>(...words: string[]) => cli.json<T>('direct', 'partners', ...words);
  /** Runs a command that is refused, and returns its exit code and its one sentence. */
  async function refused(...words: string[]): Promise<[number | null, string]> {
    const { code, out, err } = await run(...words);
    expect([out, err.trimEnd().includes('\n')]).toEqual(['', false]);
    return [code, err.trimEnd()];
  }

  test('adds a partner by its card, with a look at it first', async () => {
    expect((await run('list')).out.trim()).toBe('No partners.');
    const card = partner.cardText();
    const fingerprint = keyDigest(partner.signingKey);
    const checked = await run('create', card, '--check');
    expect([checked.code, checked.err]).toEqual([0, '']);
    for (const fact of ['Riverside Pharmacy', '+12025550143', partner.url, fingerprint])
      expect(checked.out).toContain(fact);
    expect(await json('list')).toEqual({ items: [] });
    const added = await run('create', card);
    expect(added.out).toMatch(/^Partner: +\S+$/mu);
    expect(added.out).toContain(fingerprint);
    expect(await json('create', card)).toMatchObject({ outcome: 'unchanged' });
    const { out } = await run('list');
    expect(out).toMatch(/^ORGANIZATION +FAX NUMBER +STATE +FAXES TO THEM +UNTIL +LAST EXCHANGE +ID$/mu);
    expect(out).toMatch(/^Riverside Pharmacy +\+12025550143 +pending +by phone +- +never +\S+$/mu);
  }, 60_000);

  test('a card that is none, that is altered or our own is refused in one sentence', async () => {
    expect(await refused('create', 'no card')).toEqual([EXIT.badValues, expect.stringMatching(/card/u)]);
    const altered = partner
      .cardText()
      .replace(/.(.{20})$/u, (end, rest: string) => (end.startsWith('A') ? `B${rest}` : `A${rest}`));
    expect(await refused('create', altered)).toEqual([EXIT.badValues, expect.stringMatching(/card/u)]);
    const own = (await cli.run(['direct', 'card', '--text'])).out;
    const [code, sentence] = await refused('create', own.trim());
    expect([code, sentence]).toEqual([expect.any(Number), expect.stringContaining('own')]);
  }, 60_000);

  test('faxes a code to a partner named by organization, number or id', async () => {
    const challenged = await run('challenge', 'riverside pharmacy');
    expect([challenged.code, challenged.err]).toEqual([0, '']);
    expect(challenged.out).toMatch(/^State: +pending\. A code was faxed to them\./mu);
    expect(challenged.out).toMatch(/^Code valid until: +\d{4}-/mu);
    const again = await json<{ id: string; code_fax_id: string }>('challenge', '+1 202 555-0143');
    expect(again).toMatchObject({ organization: 'Riverside Pharmacy', code_sent: true });
    expect(await cli.json('jobs', 'show', again.code_fax_id)).toMatchObject({
      kind: 'code',
      to: '+12025550143',
    });
    expect(await json('challenge', again.id)).toMatchObject({ id: again.id });
    expect(await refused('challenge', 'Nobody')).toEqual([EXIT.notFound, 'There is no such partner.']);
    expect(await refused('challenge', again.id, '--mailbox', 'unknown')).toEqual([
      expect.any(Number),
      expect.stringMatching(/mailbox/iu),
    ]);
  }, 60_000);

  test('returns the code that a partner faxed, and says why one is not accepted', async () => {
    partner.answer = (_request, response, body) => {
      const { statement } = parseSigned(body, ['verification']);
      const head = partner.head('refused', statement.from, Date.parse(statement.time));
      partner.send(response, 409, { ...head, reason: 'wrong_code', tries_left: 4 });
    };
    expect(await refused('confirm', 'Riverside Pharmacy', '12345 67890')).toEqual([
      EXIT.conflict,
      'This code is wrong. Compare it with the fax and type it again. Tries left: 4.',
    ]);
    expect(await refused('confirm', 'Riverside Pharmacy', 'the code')).toEqual([
      EXIT.conflict,
      'A code has digits only. Compare it with the fax and type it again.',
    ]);
    partner.answer = (_request, response) => response.destroy();
    const [unanswered, sentence] = await refused('confirm', 'Riverside Pharmacy', '12345 67890');
    expect([unanswered, sentence]).toEqual([
      expect.any(Number),
      expect.stringContaining('The code was not confirmed. Try again later.'),
    ]);
    const until = new Date(Date.now() + 300 * DAY).toISOString();
    partner.acceptCodes(until);
    const confirmed = await run('confirm', 'Riverside Pharmacy', '12345-67890');
    expect([confirmed.code, confirmed.err]).toEqual([0, '']);
    expect(confirmed.out).toMatch(/^State: +verified\. They checked your number\./mu);
    expect(await json('list')).toMatchObject({
      items: [{ state: 'verified', receives_directly: true, sends_directly: false, expires_at: until }],
    });
    expect((await run('list')).out).toContain(` ${until.slice(0, 10)} `);
  }, 60_000);

  test('removes a partner, with which nothing can be done then', async () => {
    partner.answer = (_request, response) => response.writeHead(204).end();
    const revoked = await run('revoke', '+12025550143');
    expect([revoked.code, revoked.err]).toEqual([0, '']);
    expect(revoked.out).toMatch(/^State: +revoked\. You removed this partner\./mu);
    const removed = [EXIT.conflict, 'This partner was removed. Add its card again first.'];
    expect(await refused('challenge', 'Riverside Pharmacy')).toEqual(removed);
    expect(await refused('confirm', 'Riverside Pharmacy', '12345 67890')).toEqual(removed);
    expect(await json('list')).toMatchObject({ items: [{ state: 'revoked' }] });
    expect((await run('challenge')).code).toBe(EXIT.usage);
  }, 60_000);
});
