import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

async function importFile(text: string, fields: Record<string, string> = {}): Promise<Body> {
  const form = new FormData();
  form.append('existing', 'update');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('file', new File([text], 'contacts.csv'));
  return (await gateway.request('POST', '/contacts/import', { form })).json();
}

const exported = async () => (await gateway.request('GET', '/contacts/export')).text();
const contactOf = async (number: string): Promise<Body> =>
  (await request('GET', `/contacts?fax_number=${encodeURIComponent(number)}`)).items[0];

async function mailbox(label: string): Promise<string> {
  const { policy_version } = await request('GET', '/auth/me');
  const body = { label, expected_policy_version: policy_version };
  return (await request('POST', '/access/mailboxes', body)).mailbox.id;
}

describe('a CSV file of contacts', () => {
  test('rule (contacts): an export that is imported again changes nothing', async () => {
    const [front, twin] = [await mailbox('Front desk'), await mailbox('Twin')];
    const route = await request('POST', '/routing/routes', {
      name: 'Cheap one',
      backend: 'cloudone',
      prefixes: ['+1202'],
    });
    const whole = {
      name: '\'=Sum  of, "all"',
      organization: '@Mill; Group',
      fax_number: '+19715550183',
      other_fax_numbers: ['+19715550184', '+19715550185'],
      voice_number: '+19715550190',
      address: '12 Mill Street, "rear"\nMill Valley',
      tags: ['Cardiology, west', 'a;b', String.raw`c\d`, '* starred'],
      owner_mailbox_id: front,
      opted_out: true,
      consent_note: '-by phone',
      time_zone: 'America/Los_Angeles',
      allowed_hours: [
        { days: [5, 1, 2, 3], from: '08:00', to: '18:00' },
        { days: [6, 7], from: '00:00', to: '24:00' },
      ],
      cover_id: 'short',
      accepts_references: true,
      send_together_minutes: 15,
      preferred_route: route.id,
      encoded_pages: 'plain',
      blocked: true,
      note: 'Two\nlines',
    };
    const { id } = await request('POST', '/contacts', whole);
    await request('POST', '/contacts', { name: 'Plain', fax_number: '+19715550150', owner_mailbox_id: twin });
    const before = await request('GET', `/contacts/${id}`);
    const csv = await exported();
    expect(await importFile(csv)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 2,
      left_out: 0,
      remarks: [],
      changes: [],
    });
    for (const { id: each, version } of (await request('GET', '/contacts')).items)
      await request('POST', `/contacts/${each}/remove`, { version });
    gateway.clock.advance(60_000);
    expect(await importFile(csv)).toMatchObject({ added: 2, left_out: 0, remarks: [] });
    const after = await contactOf('+19715550183');
    // A removed contact that opted out leaves its numbers on the opt-out list.
    const { id: _id, created_at: _at, updated_at: _now, opted_out_numbers: _listed, ...fields } = before;
    expect(after).toMatchObject(fields);
    expect(await exported()).toBe(csv);
  });

  test('reads the columns of Outlook, Google, Thunderbird and German programs', async () => {
    const outlook = [
      'First Name,Last Name,Company,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Business Fax,Home Fax,Business Phone,Categories,Notes',
      'Lee,Park,Park Dental,1 Elm St,Salem,OR,97301,United States,(503) 555-0110,503-555-0111,503-555-0112,Dental;Referrals,Open late',
    ];
    expect(await importFile(outlook.join('\r\n'))).toMatchObject({ added: 1, left_out: 0 });
    expect(await contactOf('+15035550110')).toMatchObject({
      name: 'Lee Park',
      organization: 'Park Dental',
      other_fax_numbers: ['+15035550111'],
      voice_number: '+15035550112',
      address: '1 Elm St\nSalem, OR 97301\nUnited States',
      tags: ['Dental', 'Referrals'],
      note: 'Open late',
    });
    const google = [
      'First Name,Last Name,Organization Name,Labels,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Formatted',
      'Ana,Ruiz,County Health,* myContacts ::: Health,Work,503-555-0120,Work Fax,503-555-0121 ::: 503-555-0122,"5 Oak St\nSalem"',
    ];
    expect(await importFile(google.join('\n'))).toMatchObject({ added: 1 });
    expect(await contactOf('+15035550122')).toMatchObject({
      name: 'Ana Ruiz',
      fax_number: '+15035550121',
      voice_number: '+15035550120',
      tags: ['Health'],
      address: '5 Oak St\nSalem',
    });
    const german = 'Vorname;Nachname;Firma;Fax geschäftlich;Telefon geschäftlich;Kategorien\n';
    const line = 'Jörg;Weiß;Praxis;+49 30 901820;+49 30 901821;Ärzte\n';
    expect(await importFile(german + line)).toMatchObject({ added: 1 });
    expect(await contactOf('+4930901820')).toMatchObject({
      name: 'Jörg Weiß',
      organization: 'Praxis',
      voice_number: '+4930901821',
      tags: ['Ärzte'],
    });
    const bird = 'Display Name,Fax Number,Work Phone,Work Address,Work City,Work ZipCode\n';
    expect(await importFile(`${bird}Bo,503-555-0130,555,2 Elm,Salem,97301\n`)).toMatchObject({
      added: 1,
      remarks: [{ line: 2, sentence: 'The phone number "555" is not complete and was left out.' }],
    });
    expect((await contactOf('+15035550130')).address).toBe('2 Elm\nSalem, 97301');
  });

  test('rule (contacts): an import merges entries of one number and takes no number, tag or opt-out away', async () => {
    const made = await request('POST', '/contacts', {
      name: 'Old Name',
      fax_number: '+12065550100',
      other_fax_numbers: ['+12065550101'],
      tags: ['one'],
      note: 'kept',
      opted_out: true,
      blocked: true,
    });
    const head = 'Name,Fax,Other fax numbers,Tags,Opted out,Note';
    const csv = [
      head,
      'New Name,206-555-0101,206-555-0102,two,no,',
      'Second Name,2065550100,,,,',
      'Alone,2065550110,,,,',
      'Also Alone,2065550111,,,,',
      'Bridge,2065550111,2065550110,,yes,',
    ].join('\n');
    const preview = await importFile(csv, { check_only: 'true' });
    expect(preview).toMatchObject({
      added: 1,
      changed: 1,
      merged: 3,
      left_out: 0,
      changes: [
        {
          line: 2,
          kind: 'changed',
          name: 'New Name',
          fax_number: '+12065550100',
          fields: ['name', 'note', 'other_fax_numbers', 'tags'],
        },
        { line: 4, kind: 'new', name: 'Alone' },
      ],
    });
    expect(await request('GET', `/contacts/${made.id}`)).toMatchObject({ name: 'Old Name', version: 1 });
    expect(await importFile(csv)).toEqual({ ...preview, checked_only: false });
    expect(await request('GET', `/contacts/${made.id}`)).toMatchObject({
      name: 'New Name',
      fax_number: '+12065550100',
      other_fax_numbers: ['+12065550101', '+12065550102'],
      tags: ['one', 'two'],
      note: 'Second Name',
      opted_out: true,
      opted_out_at: made.opted_out_at,
      blocked: true,
    });
    expect(await contactOf('+12065550110')).toMatchObject({
      name: 'Alone',
      other_fax_numbers: ['+12065550111'],
      note: 'Also Alone\nBridge',
      opted_out: true,
    });
    expect(await importFile(csv)).toMatchObject({ added: 0, changed: 0, unchanged: 2, merged: 3 });
  });

  test('names the reason of each entry that it leaves out', async () => {
    await request('POST', '/contacts', { name: 'Left', fax_number: '+13605550101' });
    await request('POST', '/contacts', { name: 'Right', fax_number: '+13605550102' });
    const head = 'Name,Fax,Other fax numbers,Tags,Mailbox,Time zone,Allowed hours,Preferred route,Opted out';
    const many = Array.from({ length: 6 }, (_, at) => `360555021${at}`).join(';');
    const result = await importFile(
      [
        head,
        'Both,3605550101,3605550102,,,,,,',
        `Many,3605550220,${many},,,,,,`,
        'Short,1.36056E+10,,,,,,,',
        'Tags,3605550103,,"a,b,c,d,e,f,g,h,i,j,k",,,,,',
        'Box,3605550104,,,Nowhere,,,,',
        'Zone,3605550105,,,,Mars/Base,,,',
        'Hours,3605550106,,,,,always,,',
        'Route,3605550107,,,,,,No such,',
        'Out,3605550108,,,,,,,maybe',
      ].join('\n'),
    );
    expect(result.added).toBe(0);
    expect(result.problems.map(({ line, sentence }: Body) => `${line} ${sentence}`)).toEqual([
      '2 Its numbers belong to several contacts: Left, Right. Merge them first.',
      '3 It has more than 6 fax numbers.',
      '4 "1.36056E+10" was shortened by a spreadsheet. Format the column as text and save the file again.',
      '5 It has more than 10 tags.',
      '6 You see no mailbox "Nowhere".',
      '7 "Mars/Base" is not the name of a time zone, such as Europe/Berlin.',
      '8 "always" is not a list of hours, such as Mon-Fri 08:00-18:00.',
      '9 There is no delivery route "No such".',
      '10 "maybe" in the column "Opted out" is neither yes nor no.',
    ]);
  });

  test('of 10,000 lines comes in, and every broken line is named', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => {
      const number = `+1202555${String(at).padStart(4, '0')}`;
      if (at % 10 === 3) return `Broken ${at},555,,`;
      if (at % 10 === 7) return `,${number},,`;
      return `Clinic ${at},${number},"1 Elm St\nSalem",tag ${at % 9}`;
    });
    const result = await importFile(['Name,Fax,Address,Tags', ...lines].join('\n'));
    expect(result).toMatchObject({ added: 8_000, left_out: 2_000 });
    expect(result.problems).toHaveLength(2_000);
    expect(new Set(result.problems.map(({ sentence }: Body) => sentence))).toEqual(
      new Set(['"555" is not a complete fax number.', 'There is no name.']),
    );
    // The address of a valid entry takes a second line.
    expect([result.problems[0].line, result.problems.at(-1).line]).toEqual([8, 17_997]);
    expect(result.changes).toHaveLength(1_000);
  });
});
