import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { gatewaysOf } from '../../main/network-search.ts';
import { conflictingNames } from '../../server/adapters/discovery/conflicts.ts';
import { createLazyAnnouncer } from '../../server/adapters/discovery/discovery.ts';
import { hostLabelOf, labelOf, numberedLabel } from '../../server/adapters/discovery/labels.ts';
import { linksFor } from '../../server/adapters/discovery/links.ts';
import { answersTo, forLegacy, goodbyes, recordsOf } from '../../server/adapters/discovery/records.ts';
import { createSendLimit } from '../../server/adapters/discovery/send-limit.ts';
import { createLogger } from '../../server/platform/logger.ts';

const TYPE = '_faxdesk._tcp.local';

const four = (address: string, cidr: string, internal = false): NetworkInterfaceInfo => ({
  family: 'IPv4',
  address,
  cidr,
  netmask: '',
  mac: '',
  internal,
});
const six = (address: string, scopeid = 0, internal = false): NetworkInterfaceInfo => ({
  family: 'IPv6',
  address,
  cidr: `${address}/64`,
  netmask: '',
  mac: '',
  internal,
  scopeid,
});

const INTERFACES = {
  lo: [four('127.0.0.1', '127.0.0.1/8', true), six('::1', 0, true)],
  office: [four('192.168.1.20', '192.168.1.20/24'), six('fd00::20'), six('fe80::20', 3)],
  internet: [four('8.8.4.4', '8.8.4.4/24'), six('fe80::30', 4)],
};
const places = (address: string) => linksFor(address, INTERFACES).map(({ member }) => member);
const [link] = linksFor('192.168.1.20', INTERFACES);
if (link === undefined) throw new Error('no link');

describe('interfaces on which services are announced', () => {
  test('rule (https): are those at which HTTPS listens, in the networks of the office alone', () => {
    expect(places('0.0.0.0')).toEqual(['192.168.1.20']);
    expect(places('::')).toEqual(['192.168.1.20', '::%office']);
    expect(places('192.168.1.20')).toEqual(['192.168.1.20']);
    expect(places('fd00::20')).toEqual(['::%office']);
    expect(places('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(places('192.168.1.99')).toEqual([]);
  });

  test('rule (https): only neighbors on the same network are answered', () => {
    expect(link.isNeighbor('192.168.1.77')).toBe(true);
    for (const address of ['192.168.2.77', '8.8.8.8', 'fe80::1%office', 'nonsense', ''])
      expect([address, link.isNeighbor(address)]).toEqual([address, false]);
    const [, over6] = linksFor('::', INTERFACES);
    const answered = ['fe80::7%office', 'fe80::7%internet', 'fe80::7', 'fd00::7', '2001:db8::7'];
    expect(answered.filter((address) => over6?.isNeighbor(address))).toEqual(['fe80::7%office']);
  });
});

const SERVICE = {
  kind: 'gateway' as const,
  name: 'Clinic',
  label: 'Clinic',
  type: '_faxdesk._tcp',
  subtypes: ['_desk'],
  address: '0.0.0.0',
  port: 8443,
  facts: { root: 'ab', long: 'x'.repeat(400) },
};
const HOST = 'frontdesk-faxdesk.local';
const RECORDS = recordsOf([SERVICE], HOST, link);
const ask = (name: string, type: string, answers: object[] = []) =>
  answersTo({ questions: [{ name, type: type as 'A' }], answers: answers as [] }, RECORDS);

describe('answers to questions of the network', () => {
  test('have what the asker needs next, in capitals and small letters alike', () => {
    const { answers = [], additionals = [] } = ask('_FAXDESK._tcp.LOCAL', 'PTR') ?? {};
    expect(answers).toMatchObject([{ type: 'PTR', data: `Clinic.${TYPE}` }]);
    expect(additionals.map(({ type }) => type)).toEqual(['SRV', 'A', 'TXT']);
    expect(ask(`_desk._sub.${TYPE}`, 'PTR')?.answers).toHaveLength(1);
    expect(ask(`Clinic.${TYPE}`, 'ANY')?.answers.map(({ type }) => type)).toEqual(['SRV', 'TXT']);
  });

  test('say what a name of ours does not have, and nothing about names of others', () => {
    expect(ask(HOST, 'AAAA')?.answers).toMatchObject([{ type: 'NSEC', data: { rrtypes: ['A'] } }]);
    expect(ask('printer.local', 'A')).toBeNull();
    expect(ask('_http._tcp.local', 'PTR')).toBeNull();
  });

  test('are left out when the asker has them already, and sent when they end soon', () => {
    const known = { type: 'PTR', name: TYPE, data: `Clinic.${TYPE}` };
    expect(ask(TYPE, 'PTR', [{ ...known, ttl: 4_000 }])).toBeNull();
    expect(ask(TYPE, 'PTR', [{ ...known, ttl: 100 }])?.answers).toHaveLength(1);
  });

  test('are short-lived for programs without a cache, and have at most 255 bytes in each fact', () => {
    expect(forLegacy(RECORDS).filter(({ ttl, flush }) => ttl > 10 || flush === true)).toEqual([]);
    const facts = RECORDS.find(({ type }) => type === 'TXT')?.data as unknown as Buffer[];
    expect(facts.map((fact) => fact.length)).toEqual([7, 255]);
    expect(new Set(goodbyes(RECORDS).map(({ ttl }) => ttl))).toEqual(new Set([0]));
  });

  test('are sent to everyone once a second, to defend a name more often, and to programs with a limit', () => {
    let now = 0;
    const limit = createSendLimit(() => now);
    const [record] = RECORDS;
    if (record === undefined) throw new Error('no record');
    const taken = [0, 300, 999, 1_001].map((at) => {
      now = at;
      return limit.take(record, false);
    });
    expect(taken).toEqual([true, false, false, true]);
    now = 1_300;
    expect([limit.take(record, false), limit.take(record, true)]).toEqual([false, true]);
    expect(Array.from({ length: 30 }, () => limit.takeLegacy()).filter(Boolean)).toHaveLength(20);
  });
});

describe('names that two computers want', () => {
  const server = (port: number, ttl = 120) => ({
    type: 'SRV' as const,
    name: `clinic.${TYPE}`,
    ttl,
    data: { target: HOST, port, priority: 0, weight: 0 },
  });
  const address = (data: string) => ({ type: 'A' as const, name: HOST, ttl: 120, data });
  const response = (...answers: object[]) => ({ type: 'response' as const, answers: answers as [] });
  const probe = (...authorities: object[]) => ({ type: 'query' as const, authorities: authorities as [] });
  const conflicts = (message: Parameters<typeof conflictingNames>[0]) => [
    ...conflictingNames(message, RECORDS),
  ];

  test('are in conflict when another one answers with other data, not with ours or when it leaves', () => {
    expect(conflicts(response(server(1)))).toEqual([`Clinic.${TYPE}`]);
    expect(conflicts(response(server(8443)))).toEqual([]);
    expect(conflicts(response(server(1, 0)))).toEqual([]);
    expect(conflicts(response(address('192.168.1.21')))).toEqual([HOST]);
    expect(conflicts(response(address('192.168.1.20')))).toEqual([]);
  });

  test('go to the one with the later data when both ask at the same time', () => {
    expect(conflicts(probe(server(8444)))).toEqual([`Clinic.${TYPE}`]);
    expect(conflicts(probe(server(8442)))).toEqual([]);
    expect(conflicts(probe(address('192.168.1.100')))).toEqual([HOST]);
    expect(conflicts(probe(address('192.168.1.3')))).toEqual([]);
  });

  test('fit into a name of the network', () => {
    expect(labelOf('Dr. A. Example\u0007')).toBe('Dr A Example');
    expect(labelOf('...')).toBe('Faxdesk');
    expect(Buffer.byteLength(labelOf('Ä'.repeat(60)))).toBe(62);
    expect(numberedLabel('Clinic', 1, ' ')).toBe('Clinic');
    expect(numberedLabel('x'.repeat(63), 12, ' ')).toBe(`${'x'.repeat(58)} (12)`);
    expect(numberedLabel('frontdesk', 2, '-')).toBe('frontdesk-2');
    expect(['FRONT_desk.office', '---', ''].map(hostLabelOf)).toEqual(['front-desk', 'computer', 'computer']);
  });
});

test('an announcer that was stopped opens nothing, even if it never announced before', async () => {
  const announcer = createLazyAnnouncer(createLogger({ write: () => undefined }), 'frontdesk');
  await announcer.update([]);
  await announcer.stop();
  await announcer.update([{ ...SERVICE, address: '127.0.0.1' }]);
  expect([announcer.announced, announcer.problem]).toEqual([null, null]);
});

describe('what the window makes of the answers', () => {
  const gateway = (label: string, facts: string[], host = 'other.local', port = 8443) => [
    { type: 'PTR' as const, name: TYPE, data: `${label}.${TYPE}` },
    { type: 'SRV' as const, name: `${label}.${TYPE}`, data: { target: host, port } },
    { type: 'TXT' as const, name: `${label}.${TYPE}`, data: facts },
    { type: 'A' as const, name: host, data: '192.168.1.9' },
    { type: 'AAAA' as const, name: host, data: 'fe80::9' },
    { type: 'AAAA' as const, name: host, data: 'fd00::9' },
  ];

  test('is one gateway with its addresses, the best first', () => {
    const records = gateway('Clinic', ['host=fax.office.example', `root=${'ab'.repeat(32)}`]);
    expect(gatewaysOf([[...records, ...records], records], [])).toEqual([
      {
        name: 'Clinic',
        addresses: [
          'https://fax.office.example:8443',
          'https://192.168.1.9:8443',
          'https://[fd00::9]:8443',
          'https://other.local:8443',
        ],
        root: Array.from({ length: 32 }, () => 'AB').join(':'),
      },
    ]);
    expect(gatewaysOf([records], ['192.168.1.9'])).toEqual([]);
  });

  test('is read for each network apart, where other computers may have the same names', () => {
    const ownNetwork = gateway('Clinic', [`root=${'ab'.repeat(32)}`]);
    const ownHost = [
      ...gateway('This computer', []).slice(0, 3),
      { type: 'A' as const, name: 'other.local', data: '10.0.0.2' },
    ];
    expect(gatewaysOf([ownNetwork, ownHost], ['10.0.0.2']).map(({ name }) => name)).toEqual(['Clinic']);
    const namesake = gateway('Clinic', [`root=${'cd'.repeat(32)}`]);
    expect(gatewaysOf([ownNetwork, namesake], []).map(({ root }) => root?.slice(0, 2))).toEqual(['AB', 'CD']);
    const second = [...ownNetwork.slice(0, 3), { type: 'A' as const, name: 'other.local', data: '10.0.0.9' }];
    expect(gatewaysOf([ownNetwork, second], [])[0]?.addresses).toEqual([
      'https://192.168.1.9:8443',
      'https://10.0.0.9:8443',
      'https://[fd00::9]:8443',
      'https://other.local:8443',
    ]);
  });

  test('rule (desktop): is plain text and addresses alone, whatever a stranger announces', () => {
    const odd = gateway('\u202Eevil\u0000\u2028', ['host=evil.example/?x=@y', 'root=12', 'host'], 'a b:c');
    const [found] = gatewaysOf([odd], []);
    expect(found).toMatchObject({ name: 'evil', root: null });
    expect(found?.addresses).toEqual(['https://192.168.1.9:8443', 'https://[fd00::9]:8443']);
    const many = Array.from({ length: 100 }, (_, index) => gateway(`Clinic ${index}`, [])).flat();
    expect(gatewaysOf([many], [])).toHaveLength(30);
    expect(gatewaysOf([[{ type: 'PTR', name: TYPE, data: 'x' }]], [])).toEqual([]);
    expect(gatewaysOf([gateway('Clinic', [], 'other.local', 0)], [])).toEqual([]);
  });
});
