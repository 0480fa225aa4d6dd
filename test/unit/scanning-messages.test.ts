import { expect, test } from 'vitest';
import {
  readCapabilities,
  readStatus,
  writeSettings,
} from '../../server/adapters/scanners/escl-documents.ts';

const place = (resolutions: string, more = '') =>
  `<?xml version="1.0"?><s:ScannerCapabilities xmlns:s="x" xmlns:p="y"><p:MakeAndModel>One</p:MakeAndModel>
<s:Platen><s:PlatenInputCaps><s:MaxWidth>2550</s:MaxWidth><s:MaxHeight>3300</s:MaxHeight><s:SettingProfiles><s:SettingProfile>
<s:SupportedResolutions>${resolutions}</s:SupportedResolutions></s:SettingProfile></s:SettingProfiles></s:PlatenInputCaps></s:Platen>${more}</s:ScannerCapabilities>`;

const range = (axis: string) =>
  `<s:ResolutionRange><s:${axis}><s:Min>75</s:Min><s:Max>300</s:Max><s:Step>1</s:Step></s:${axis}></s:ResolutionRange>`;

test.each(['XResolutionRange', 'XResolution'])('offers common resolutions of a range named %s', (axis) => {
  expect(readCapabilities(place(range(axis)))).toEqual({
    model: 'One',
    sources: [
      { source: 'glass', resolutions: [100, 150, 200, 300], colorModes: [], maxWidth: 2550, maxHeight: 3300 },
    ],
  });
});

test('offers no place without a resolution that a fax can use', () => {
  expect(readCapabilities(place(''))?.sources).toEqual([]);
  expect(readCapabilities(place('<s:DiscreteResolutions/>'))?.sources).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['text', 'Not found'],
  ['a web page', '<html><head><title>Printer</title></head></html>'],
  ['tags without end', '<a>'.repeat(300_000)],
  ['another message', '<s:ScannerStatus/>'],
  ['attributes without end', `<a ${'b="c" '.repeat(150_000)}>`],
  [
    'entities that grow',
    `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}"><!ENTITY d "${'&b;'.repeat(1_000)}">]><a>&d;</a>`,
  ],
  ['comments without end', '<!--'.repeat(250_000)],
  ['a root that is text', '<ScannerCapabilities>text</ScannerCapabilities>'],
])('reads %s as no scanner, and soon', (_, xml) => {
  const began = performance.now();
  expect(readCapabilities(xml)).toBeNull();
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('reads the state of a scanner', () => {
  const xml =
    '<a:ScannerStatus xmlns:a="x"><p:State>Idle</p:State><a:AdfState>ScannerAdfLoaded</a:AdfState></a:ScannerStatus>';
  expect(readStatus(xml)).toEqual({ state: 'Idle', feeder: 'ScannerAdfLoaded' });
  expect(readStatus('<ScannerStatus/>')).toBeNull();
});

test('asks for both sides only at the feeder', () => {
  const order = { resolution: 200, colorMode: 'Grayscale8', width: 2480, height: 3508 };
  expect(writeSettings({ ...order, source: 'glass' })).not.toContain('Duplex');
  expect(writeSettings({ ...order, source: 'feeder' })).toContain('<scan:Duplex>false</scan:Duplex>');
  expect(writeSettings({ ...order, source: 'feeder_two_sided' })).toContain(
    '<scan:Duplex>true</scan:Duplex>',
  );
});
