import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { needSlapd, type Person, READER, READER_PASSWORD, type Slapd } from '../setup/slapd.ts';
import { needTools } from '../setup/tools.ts';
import { keyWith } from './console-stream.ts';

interface Matches {
  readonly configured: boolean;
  readonly items: readonly { readonly name: string; readonly fax_number: string }[];
  readonly detail?: string;
}

let gateway: TestGateway;
let server: Slapd | null = null;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.close();
  await server?.close();
});

const search = async (q: string, key?: string): Promise<[number, Matches]> => {
  const answer = await gateway.request('GET', `/contacts/directory?q=${encodeURIComponent(q)}`, {
    ...(key !== undefined && { key }),
  });
  return [answer.status, (await answer.json()) as Matches];
};
const namesFor = async (q: string) => (await search(q))[1].items.map(({ name }) => name).sort();
const refusal = async () => {
  const [status, { detail }] = await search('clinic');
  return [status, detail];
};

test('without a directory in the settings nothing is searched', async () => {
  expect(await search('clinic')).toEqual([200, { configured: false, items: [] }]);
});

test('an address of another kind is refused, and the saved password goes to no other server', async () => {
  const change = async (changes: object) => {
    const answer = await gateway.request('PUT', '/admin/settings', { json: { changes } });
    return [answer.status, answer.headers.get('x-error-code')];
  };
  for (const DIRECTORY_URL of ['http://directory.example', 'ldap://', 'ldaps://a b', 'ldaps://x:99999'])
    expect([DIRECTORY_URL, (await change({ DIRECTORY_URL }))[0]]).toEqual([DIRECTORY_URL, 422]);
  await gateway.set({ DIRECTORY_URL: 'ldaps://directory.example', DIRECTORY_PASSWORD: 'secret' });
  expect(await change({ DIRECTORY_URL: 'ldaps://elsewhere.example' })).toEqual([422, 'secrets_elsewhere']);
  await gateway.set({ DIRECTORY_URL: null, DIRECTORY_PASSWORD: null });
});

test('a server that cannot be reached is named in one sentence', async () => {
  await gateway.set({ DIRECTORY_URL: 'ldap://127.0.0.1:1' });
  expect(await refusal()).toEqual([503, '127.0.0.1 refuses connections on port 1.']);
  await gateway.set({ DIRECTORY_URL: null });
});

const PEOPLE: readonly Person[] = [
  {
    id: 'Ada Bergström',
    attributes: {
      o: 'Bay Clinic',
      facsimileTelephoneNumber: ['+1 (415) 555-0101', '415 555 0177$twoDimensional'],
      telephoneNumber: '415-555-0100',
      l: 'San Francisco',
      st: 'CA',
      postalCode: '94105',
    },
  },
  { id: 'Zoe (Desk) *', attributes: { o: 'Bay Clinic', facsimileTelephoneNumber: '+14155550102' } },
  { id: 'Nobody', attributes: { o: 'Bay Clinic' } },
  { id: 'Extension', attributes: { o: 'Bay Clinic', facsimileTelephoneNumber: 'ext. 12' } },
];

/** Settings of the server, which starts at the first use. */
async function useServer(): Promise<Slapd> {
  await gateway.set({
    DIRECTORY_URL: null,
    DIRECTORY_USER: null,
    DIRECTORY_PASSWORD: null,
    DIRECTORY_BASE: null,
    DIRECTORY_FILTER: null,
  });
  const running = server as Slapd;
  await gateway.set({
    DIRECTORY_URL: running.url,
    DIRECTORY_USER: READER,
    DIRECTORY_PASSWORD: READER_PASSWORD,
  });
  return running;
}

beforeEach(async (context) => {
  if (context.task.name.startsWith('LDAP')) needTools(context, 'slapd');
  if (server !== null || !context.task.name.startsWith('LDAP')) return;
  server = await needSlapd(context);
  await server.add(...PEOPLE);
});

test('LDAP: entries with a fax number are found by parts of names, organizations and numbers', async () => {
  await useServer();
  expect(await namesFor('clinic')).toEqual(['Ada Bergström', 'Zoe (Desk) *']);
  expect(await namesFor('bay bergström')).toEqual(['Ada Bergström']);
  expect(await namesFor('5550102')).toEqual(['Zoe (Desk) *']);
  expect(await namesFor('415-5550101')).toEqual(['Ada Bergström']);
  // The digits are in the number, with others between them.
  expect(await namesFor('4501')).toEqual([]);
  expect(await namesFor('c')).toEqual([]);
  expect(await namesFor('nothing like it')).toEqual([]);
  // Signs of a filter are only text.
  expect(await namesFor('(desk) *')).toEqual(['Zoe (Desk) *']);
  expect(await namesFor('*)(cn=*')).toEqual([]);
  const contact = await gateway.request('POST', '/contacts', {
    json: { name: 'Ada', fax_number: '+14155550101' },
  });
  const { id } = (await contact.json()) as { id: string };
  expect((await search('ada'))[1].items).toEqual([
    {
      name: 'Ada Bergström',
      organization: 'Bay Clinic',
      fax_number: '+14155550101',
      other_fax_numbers: ['+14155550177'],
      voice_number: '+14155550100',
      address: 'San Francisco CA 94105',
      contact: { id, name: 'Ada' },
    },
  ]);
});

test('LDAP: the filter and the base of the settings narrow the search', async () => {
  await useServer();
  await gateway.set({ DIRECTORY_FILTER: '(l=San Francisco)' });
  expect(await namesFor('clinic')).toEqual(['Ada Bergström']);
  await gateway.set({ DIRECTORY_FILTER: '(l=((broken)' });
  expect(await refusal()).toEqual([
    503,
    'The filter of the office directory in the settings cannot be read.',
  ]);
  await gateway.set({ DIRECTORY_FILTER: null, DIRECTORY_BASE: 'dc=elsewhere,dc=example' });
  expect(await refusal()).toEqual([
    503,
    'The office directory does not have the search base of the settings.',
  ]);
});

test('LDAP: at most as many entries as asked for come', async () => {
  const running = await useServer();
  const many = Array.from({ length: 40 }, (_, i) => ({
    id: `Many ${i}`,
    attributes: { o: 'Crowd', facsimileTelephoneNumber: `+1415555${1000 + i}` },
  }));
  await running.add(...many);
  expect((await search('crowd'))[1].items).toHaveLength(8);
});

test('LDAP: the sign-in and the certificate are checked', async () => {
  const running = await useServer();
  await gateway.set({ DIRECTORY_PASSWORD: 'wrong' });
  expect(await refusal()).toEqual([503, 'The office directory refused the sign-in.']);
  await gateway.set({ DIRECTORY_URL: running.tlsUrl, DIRECTORY_PASSWORD: READER_PASSWORD });
  expect(await refusal()).toEqual([
    503,
    'The certificate of localhost is not from an authority that this computer trusts.',
  ]);
  const known = getCACertificates('default');
  try {
    setDefaultCACertificates([...known, running.authority]);
    expect(await namesFor('bay')).toEqual(['Ada Bergström', 'Zoe (Desk) *']);
  } finally {
    setDefaultCACertificates(known);
  }
});

test('LDAP: a key without the permission to read contacts searches nothing', async () => {
  await useServer();
  const key = await keyWith(gateway, 'fax:read');
  expect((await search('clinic', key))[0]).toBe(403);
});

test('LDAP: a server that does not answer is given up, and found again when it does', {
  timeout: 30_000,
}, async () => {
  const running = await useServer();
  await running.pause();
  try {
    expect(await refusal()).toEqual([
      503,
      `127.0.0.1 did not answer on port ${new URL(running.url).port} in time.`,
    ]);
  } finally {
    running.resume();
  }
  expect(await namesFor('bergström')).toEqual(['Ada Bergström']);
});
