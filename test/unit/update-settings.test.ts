import { describe, expect, it } from 'vitest';
import { officeFile, parseOfficeFile } from '../../main/office-file.ts';
import { readUpdateSettings } from '../../main/updates/update-settings.ts';

const isTerminalServer = false;
const fromPerson = (environment: string) => readUpdateSettings({ office: {}, isTerminalServer, environment });
const fromOffice = (text: string, environment?: string) =>
  readUpdateSettings({ office: parseOfficeFile(text), isTerminalServer, environment });
const folder = (path: string) => ({ kind: 'on', feed: { kind: 'folder', path } });
const web = (address: string) => ({ kind: 'on', feed: { kind: 'web', address } });

describe('the place of new versions', () => {
  it('is a folder, also a share of Windows', () => {
    expect(fromPerson('/srv/faxdesk')).toEqual(folder('/srv/faxdesk'));
    expect(fromPerson('\\\\office\\faxdesk')).toEqual(folder('\\\\office\\faxdesk'));
    expect(fromPerson('S:\\faxdesk')).toEqual(folder('S:\\faxdesk'));
  });

  it('is an address over HTTPS, with or without its last slash', () => {
    expect(fromPerson('https://fax.example.org/new')).toEqual(web('https://fax.example.org/new/'));
    expect(fromPerson(' https://fax.example.org/new/ ')).toEqual(web('https://fax.example.org/new/'));
  });

  it('is the newest release of a project on GitHub', () => {
    const feed = { kind: 'github', project: 'example/faxdesk' };
    expect(fromPerson('github:example/faxdesk')).toEqual({ kind: 'on', feed });
  });

  it.each([
    'http://fax.example.org/',
    'ftp://fax.example.org/',
    'https://user:password@fax.example.org/',
    'https://fax.example.org/?a=1',
    'github:example',
    'somewhere',
    '../folder',
  ])('is not %s', (value) => {
    const settings = fromPerson(value);
    expect(settings.kind).toBe('off');
    expect(settings).toMatchObject({ sentence: expect.stringContaining('cannot use the place') });
  });

  it('may be plain HTTP on this computer alone', () => {
    expect(fromPerson('http://127.0.0.1:8080')).toEqual(web('http://127.0.0.1:8080/'));
    expect(fromPerson('http://127.0.0.1.example.org').kind).toBe('off');
  });
});

describe('who decides on new versions', () => {
  it('is nobody at first: nothing is looked for', () => {
    const office = parseOfficeFile(null);
    expect(readUpdateSettings({ office, isTerminalServer, environment: undefined }).kind).toBe('off');
    expect(fromPerson('').kind).toBe('off');
  });

  it('is the office before the person', () => {
    expect(fromOffice('{"updates":"/srv/office"}', '/home/person')).toEqual(folder('/srv/office'));
    const sentence = 'Your office decides when this computer gets a new version.';
    expect(fromOffice('{"updates":"off"}', '/home/person')).toEqual({ kind: 'off', sentence });
  });

  it('rule (desktop): is nobody on a terminal server, without any decision and with every place', () => {
    const onServer = (text: string | null) =>
      readUpdateSettings({ office: parseOfficeFile(text), isTerminalServer: true, environment: '/srv/own' });
    const sentence = expect.stringContaining('a server for several people');
    for (const text of [null, '{"updates":"/srv/office"}'])
      expect(onServer(text)).toEqual({ kind: 'off', sentence });
    expect(onServer('{"updates":"off"}')).toMatchObject({ sentence: expect.stringContaining('Your office') });
    expect(onServer('{')).toMatchObject({ sentence: expect.stringContaining('cannot read') });
  });

  it('is the person where the office has said nothing', () => {
    expect(fromOffice('{}', '/home/person')).toEqual(folder('/home/person'));
    expect(fromOffice('{}', 'off').kind).toBe('off');
  });

  it.each(['', '{', '[]', 'null', '{"updates":true}'])('stays the office when its file is %j', (text) => {
    const settings = fromOffice(text, '/home/person');
    expect(settings).toMatchObject({ kind: 'off', sentence: expect.stringContaining('cannot read') });
  });

  it('has its file where only an administrator writes', () => {
    expect(officeFile('linux', undefined)).toBe('/etc/faxdesk/desktop.json');
    expect(officeFile('darwin', undefined)).toBe('/Library/Application Support/Faxdesk/desktop.json');
    expect(officeFile('win32', 'D:\\Programs')).toBe('D:\\Programs\\Faxdesk policy\\desktop.json');
  });
});

describe('the file of the office', () => {
  const pairs = Array.from({ length: 32 }, (_, i) => (i * 7).toString(16).padStart(2, '0').toUpperCase());
  const fingerprint = pairs.join(':');
  const gateway = { address: 'https://fax.example.office:8443', fingerprint };
  const parse = (fields: object) => parseOfficeFile(JSON.stringify(fields));

  it('names the gateway, with its certificate with or without colons, and the start at login', () => {
    const { address } = gateway;
    expect(parse({ gateway: address, certificate: fingerprint })).toEqual({ gateway });
    expect(parse({ gateway: `${address}/`, certificate: pairs.join('').toLowerCase() })).toEqual({ gateway });
    expect(parse({ gateway: address })).toEqual({ gateway: { address, fingerprint: null } });
    expect(parse({ start_at_login: true, updates: 'off' })).toEqual({ startAtLogin: true, updates: 'off' });
    expect(parse({ of_a_later_release: 1 })).toEqual({});
  });

  it.each([
    { certificate: fingerprint },
    { gateway: 'https://fax.example.office/console' },
    { gateway: gateway.address, certificate: '' },
    { gateway: 'fax.example.office', certificate: fingerprint },
    { gateway: 'http://fax.example.office', certificate: fingerprint },
    { gateway: 'https://fax.example.office/console', certificate: fingerprint },
    { gateway: 'https://person:secret@fax.example.office', certificate: fingerprint },
    { gateway: gateway.address, certificate: fingerprint.slice(3) },
    { gateway: gateway.address, certificate: 'none' },
    { start_at_login: 'yes' },
  ])('is damaged with %j', (fields) => {
    expect(parse(fields)).toBeNull();
  });
});
