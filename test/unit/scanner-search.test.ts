import type { Answer } from 'dns-packet';
import { expect, test } from 'vitest';
import { scannersOf } from '../../server/adapters/scanners/search.ts';
import { scannerRecords } from '../setup/announced-scanner.ts';

const FACTS = ['txtvers=1', 'ty=Example OfficeScan 4020', 'note=Front desk', 'rs=eSCL', 'UUID=4509A320-00A0'];
const named = (name: string, facts: readonly string[] = FACTS, port = 80) => ({ name, port, facts });
const SECURE = '_uscans._tcp.local';
const IN_OFFICE = { address: '192.168.1.20' };

test('a scanner is found with its name, model, place and address', () => {
  expect(scannersOf([scannerRecords(named('Office scanner'), IN_OFFICE)])).toEqual([
    {
      name: 'Office scanner',
      model: 'Example OfficeScan 4020',
      place: 'Front desk',
      url: 'http://192.168.1.20/eSCL',
      urls: ['http://192.168.1.20/eSCL', 'http://test-scanner.local/eSCL'],
      uuid: '4509a320-00a0',
    },
  ]);
});

test('a scanner is one that answers in two networks, and with and without encryption', () => {
  const found = scannersOf([
    [...scannerRecords(named('Office', FACTS, 443), { type: SECURE, ...IN_OFFICE })],
    [...scannerRecords(named('Office', FACTS, 8080), IN_OFFICE)],
    [...scannerRecords(named('Office'), { address: '10.0.0.20' })],
  ]);
  expect(found.map(({ url }) => url)).toEqual(['http://192.168.1.20:8080/eSCL']);
  expect(found[0]?.urls).toEqual([
    'http://192.168.1.20:8080/eSCL',
    'http://test-scanner.local:8080/eSCL',
    'http://10.0.0.20/eSCL',
    'http://test-scanner.local/eSCL',
    'https://192.168.1.20/eSCL',
    'https://test-scanner.local/eSCL',
  ]);
});

test('a scanner that only encrypts is found by https', () => {
  const records = scannerRecords(named('Office', ['rs=/scan/eSCL/'], 443), { type: SECURE, ...IN_OFFICE });
  expect(scannersOf([records]).map(({ url }) => url)).toEqual(['https://192.168.1.20/scan/eSCL']);
});

test('scanners come by name, those without facts too', () => {
  const found = scannersOf([
    [...scannerRecords(named('b', []), IN_OFFICE)],
    [...scannerRecords(named('A', []), { address: '192.168.1.21' })],
  ]);
  expect(found.map(({ name, model, place }) => [name, model, place])).toEqual([
    ['A', '', ''],
    ['b', '', ''],
  ]);
});

test('what is no usable address, or no scanner, is left out', () => {
  const [pointer, server, , address] = scannerRecords(named('Office'), IN_OFFICE) as [
    Answer,
    Answer,
    Answer,
    Answer,
  ];
  const cases: Answer[][] = [
    scannerRecords(named('Office', ['rs=a b'])),
    scannerRecords(named('Office', FACTS, 0)),
    [pointer],
    [pointer, address],
    [server, address],
    [],
  ];
  for (const records of cases) expect(scannersOf([records])).toEqual([]);
  const onlyHost = scannersOf([[pointer, server]]).map(({ url }) => url);
  expect(onlyHost).toEqual(['http://test-scanner.local/eSCL']);
});

test('texts of a scanner are cut, and cannot hide or turn around other text', () => {
  const facts = [`ty=${'x'.repeat(200)}`, 'note=a\u202eb\nc'];
  const [found] = scannersOf([scannerRecords(named('Off\u202eice', facts), IN_OFFICE)]);
  expect([found?.name, found?.model.length, found?.place]).toEqual(['Off ice', 63, 'a b c']);
});

test('ten thousand scanners are read in bounded time, thirty of them', () => {
  const records = Array.from({ length: 10_000 }, (_, n) =>
    scannerRecords(named(`scanner ${n}`, []), { address: `10.0.${n >> 8}.${n & 255}` }),
  ).flat();
  expect(scannersOf([records])).toHaveLength(30);
});
