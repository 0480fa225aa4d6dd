import { docx, xlsx } from '../setup/office-files.ts';
import { mutate } from './mutate.ts';
import { type FuzzSubject, uploadRequest } from './subject.ts';

const CSV = [
  'name,organization,fax number,email,tags,notes',
  'Ada Admin,Harbor Clinic,+12025550123,ada@clinic.example,"billing, urgent",Call first',
  '"Bo ""the Fax"" Brown",,(202) 555-0124,,,',
  '=1+1,@SUM(A1),+12025550125,,,-2',
].join('\r\n');
const OUTLOOK =
  'First Name;Last Name;Company;Business Fax;E-mail Address\nAda;Admin;Harbor Clinic;+1 202 555 0123;a@b.example\n';
const VCARDS = [
  'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Admin\r\nN:Admin;Ada;;;\r\nORG:Harbor Clinic\r\nTEL;TYPE=fax,work:+12025550123\r\nEND:VCARD\r\n',
  'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Bo\r\nTEL;FAX:202-555-0124\r\nEND:VCARD\r\n',
  'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Long\r\n line\r\nTEL;TYPE="fax";VALUE=uri:tel:+12025550125;ext=1\r\nNOTE:a\\nb\\,c\r\nEND:VCARD\r\n',
];
const WORDS = [
  ',',
  ';',
  '\t',
  '"',
  '""',
  '\r\n',
  '\r',
  '\0',
  '"'.repeat(2_000),
  ','.repeat(5_000),
  '\r\n '.repeat(2_000),
  'fax number',
  'BEGIN:VCARD\r\n',
  'END:VCARD\r\n',
  'BEGIN:VCARD\r\n'.repeat(200),
  'ENCODING=BASE64:',
  'ENCODING=QUOTED-PRINTABLE:=',
  '\u00ff\u00fe',
  '\u00ef\u00bb\u00bf',
  '+1202555',
  'TEL;TYPE=fax:',
];

/** Files of contacts and of opted-out numbers, changed at random. Every second one is only checked. */
export function contactsSubject(): FuzzSubject {
  const samples = [
    Buffer.from(CSV),
    Buffer.from(`\ufeff${CSV}`),
    Buffer.from(CSV, 'utf16le'),
    Buffer.from(OUTLOOK, 'latin1'),
    ...VCARDS.map((card) => Buffer.from(card)),
    Buffer.from(VCARDS.join('')),
    Buffer.from('+12025550123\n202 555 0124\n\n+44 20 7946 0000\n'),
    xlsx([['name', 'fax number']]),
    docx(['+12025550123']),
  ];
  return {
    connections: 4,
    makeRequest(random, { key }) {
      const bytes = mutate(random, random.pick(samples), { words: WORDS, others: samples });
      const path = random.chance(70) ? '/contacts/import' : '/contacts/opt-outs/import';
      const name = random.pick(['list.csv', 'list.vcf', 'list.txt', 'list']);
      const type = random.pick(['text/csv', 'text/vcard', 'text/plain', 'application/octet-stream']);
      const existing: Record<string, string> =
        path === '/contacts/import' && random.chance(50) ? { existing: 'update' } : {};
      const fields = { ...existing, check_only: random.chance(50) ? 'true' : 'false' };
      return uploadRequest(path, key, fields, { name, type, bytes });
    },
  };
}
