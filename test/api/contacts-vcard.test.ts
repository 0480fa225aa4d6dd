import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  appleBook,
  type BookPerson,
  googleBook,
  nextcloudBook,
  outlookBook,
} from '../setup/address-books.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function request(method: string, path: string, json?: unknown): Promise<Body> {
  const answer = await gateway.request(method, path, { json });
  expect(answer.status, path).toBeLessThan(300);
  return answer.json();
}

async function importFile(content: string | Uint8Array, fields: Record<string, string> = {}): Promise<Body> {
  const form = new FormData();
  form.append('existing', 'update');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('file', new File([Uint8Array.from(Buffer.from(content))], 'contacts.vcf'));
  return (await gateway.request('POST', '/contacts/import', { form })).json();
}

const contactOf = async (number: string): Promise<Body> =>
  (await request('GET', `/contacts?fax_number=${encodeURIComponent(number)}`)).items[0];

const personOf = (area: string, at: number): BookPerson => ({
  given: ['Ana', 'Jörg', 'Łukasz'][at] ?? '',
  family: ['Ruiz; Sr.', 'Weiß', 'Żak'][at] ?? '',
  organization: `Praxis, für Ärzte ${at}`,
  faxes: at === 1 ? [`(${area}) 555-011${at}`] : [`(${area}) 555-011${at}`, `+1 ${area} 555 012${at}`],
  phone: `${area}-555-013${at}`,
  street: `${at} Elm Street`,
  city: 'São Paulo',
  region: 'OR',
  code: '97301',
  country: 'United States',
  tags: ['Kardiologie', `Überweisung ${at}`],
  note: `Only mornings; ask for Ms. Ortiz, ext. ${at}.\n${'A long line of a note. '.repeat(12)}ends`,
});

describe('vCards', () => {
  test.each([
    ['Outlook', '503', outlookBook, 0],
    ['Google Contacts', '206', googleBook, 0],
    ['Apple Contacts', '360', appleBook, 1],
    ['Thunderbird and Nextcloud', '971', nextcloudBook, 0],
  ] as const)('of %s come in whole', async (_, area, write, lists) => {
    const people = [0, 1, 2].map((at) => personOf(area, at));
    const bytes = write(people);
    const preview = await importFile(bytes, { check_only: 'true' });
    expect(preview).toMatchObject({ added: 3, left_out: lists, remarks: [] });
    if (lists > 0) expect(preview.problems[0].sentence).toBe('It is a list of contacts, not a contact.');
    expect(await importFile(bytes)).toEqual({ ...preview, checked_only: false });
    const plain = (number: string) => `+1${number.replaceAll(/\D/gu, '').slice(-10)}`;
    for (const one of people) {
      const [first = '', ...others] = one.faxes.map(plain);
      expect(await contactOf(first)).toMatchObject({
        name: `${one.given} ${one.family}`,
        organization: one.organization,
        fax_number: first,
        other_fax_numbers: others,
        voice_number: plain(one.phone),
        address: `${one.street}\nSão Paulo, OR 97301\nUnited States`,
        tags: one.tags,
        note: one.note,
      });
    }
    expect(await importFile(bytes)).toMatchObject({ added: 0, changed: 0, unchanged: 3, left_out: lists });
  });

  test.each(['vcard3', 'vcard4'])(
    'rule (contacts): exported vCards that are imported again change nothing [%s]',
    async (format) => {
      const number = format === 'vcard3' ? '+16505550101' : '+16505550201';
      const whole = {
        name: 'Ärzte; "Mitte", \\Süd',
        organization: 'Gruppe; A, B',
        fax_number: number,
        other_fax_numbers: [`${number.slice(0, -1)}2`],
        voice_number: `${number.slice(0, -1)}3`,
        address: '12 Mill Street, rear\nMill Valley',
        tags: ['a,b', 'c;d', 'myContacts'],
        opted_out: true,
        consent_note: 'By phone, 3 May',
        time_zone: 'America/Los_Angeles',
        allowed_hours: [{ days: [1, 2, 3], from: '08:00', to: '18:00' }],
        cover_id: 'short',
        accepts_references: true,
        send_together_minutes: 15,
        encoded_pages: 'plain',
        blocked: true,
        note: `Zwei\nZeilen ${'Übergrößenträger '.repeat(20)}end`,
      };
      const { id, version } = await request('POST', '/contacts', whole);
      const path = `/contacts/export?format=${format}`;
      const answer = await gateway.request('GET', path);
      expect(answer.headers.get('content-type')).toBe('text/vcard; charset=utf-8');
      const cards = await answer.text();
      for (const line of cards.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(await importFile(cards)).toMatchObject({ added: 0, changed: 0, left_out: 0, remarks: [] });
      const before = await request('GET', `/contacts/${id}`);
      await request('POST', `/contacts/${id}/remove`, { version });
      expect(await importFile(cards)).toMatchObject({ added: 1, changed: 0, left_out: 0 });
      // A removed contact that opted out leaves its numbers on the opt-out list.
      const { id: _id, created_at: _at, updated_at: _now, opted_out_numbers: _listed, ...fields } = before;
      expect(await contactOf(number)).toMatchObject(fields);
    },
  );

  test('of broken files are named by their line, and the others come in', async () => {
    const file = [
      'BEGIN:VCARD',
      'FN:No end',
      'BEGIN:VCARD',
      'FN:No fax',
      'TEL:503 555 0199',
      'END:VCARD',
      'begin:vcard',
      'version:2.1',
      'fn:Latin M\u00fcller',
      'tel;fax:503 555 0198',
      'agent:',
      'BEGIN:VCARD',
      'FN:Assistant',
      'TEL;FAX:503 555 0197',
      'END:VCARD',
      'no property',
      'end:vcard',
      'BEGIN:VCARD',
      'FN:Extension',
      'TEL;TYPE=fax;VALUE=uri:tel:+1-503-555-0196;ext=12',
      'END:VCARD',
      'BEGIN:VCARD',
      'FN:Cut',
    ];
    const result = await importFile(Buffer.from(file.join('\n'), 'latin1'));
    expect(result).toMatchObject({ added: 1, left_out: 4 });
    expect(result.problems).toEqual([
      { line: 1, sentence: 'The card has no end.' },
      { line: 3, sentence: 'There is no fax number.' },
      { line: 18, sentence: '"+1-503-555-0196 x12" is not a complete fax number.' },
      { line: 22, sentence: 'The card has no end.' },
    ]);
    expect(await contactOf('+15035550198')).toMatchObject({ name: 'Latin Müller' });
    expect(await importFile('BEGIN:VCARD\n'.repeat(20_002))).toMatchObject({
      detail: 'The file has more than 20000 contacts. Split it and import the parts.',
    });
    const wide = Buffer.from(
      '\ufeffBEGIN:VCARD\r\nFN:Żak\r\nTEL;FAX:503 555 0195\r\nEND:VCARD\r\n',
      'utf16le',
    );
    expect(await importFile(wide)).toMatchObject({ added: 1 });
    expect(await contactOf('+15035550195')).toMatchObject({ name: 'Żak' });
  });

  test('10,000 of them come in, and every broken one is named', async () => {
    const cards = Array.from({ length: 10_000 }, (_, at) => {
      const number = at % 10 === 3 ? '555' : `+1213555${String(at).padStart(4, '0')}`;
      return `BEGIN:VCARD\nVERSION:3.0\nFN:Clinic ${at}\nTEL;TYPE=fax:${number}\nEND:VCARD\n`;
    });
    const result = await importFile(cards.join(''));
    expect(result).toMatchObject({ added: 9_000, left_out: 1_000 });
    expect(result.problems).toHaveLength(1_000);
    expect(result.problems.at(-1)).toEqual({
      line: 5 * 9_993 + 1,
      sentence: '"555" is not a complete fax number.',
    });
  });
});
