import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Computer } from '../../main/computer.ts';
import { parseOfficeFile } from '../../main/office-file.ts';
import { readPackage, readPolicy } from '../../main/office-policy.ts';
import { ROOT } from '../../scripts/source-tree.ts';

const FINGERPRINT = Array(32).fill('3F').join(':');
const DECIDED = {
  gateway: 'https://fax.example.office:8443',
  certificate: FINGERPRINT,
  start_at_login: true,
  network: 'off',
  updates: 'off',
};
const PROFILE = '/Library/Managed Preferences/org.faxdesk.desktop.plist';

/** As `reg query` prints a key. */
const REGISTRY = [
  '',
  String.raw`HKEY_LOCAL_MACHINE\SOFTWARE\Policies\Faxdesk`,
  '    Gateway    REG_SZ    https://fax.example.office:8443',
  `    Certificate    REG_SZ    ${FINGERPRINT}`,
  '    StartAtLogin    REG_DWORD    0x1',
  '    Network    REG_SZ    off',
  '    Updates    REG_SZ    off',
  '    Another    REG_BINARY    00',
  '',
  String.raw`HKEY_LOCAL_MACHINE\SOFTWARE\Policies\Faxdesk\Below`,
  '',
].join('\r\n');

/** A computer whose programs answer with a text, or fail with an exit code. */
const computer = (platform: string, answer: string | number, ran: string[] = []): Computer => ({
  platform,
  systemName: 'Windows 11 Pro',
  systemFolder: String.raw`D:\Windows`,
  exists: (path) => path === PROFILE && answer !== 'none',
  run: async (program, words) => {
    ran.push([program, ...words].join(' '));
    if (typeof answer === 'number') throw Object.assign(new Error('it failed'), { code: answer });
    return answer;
  },
});

describe('a policy of the office', () => {
  it('is read from the registry of Windows', async () => {
    const ran: string[] = [];
    expect(await readPolicy(computer('win32', REGISTRY, ran))).toEqual(DECIDED);
    expect(ran).toEqual([String.raw`D:\Windows\System32\reg.exe query HKLM\SOFTWARE\Policies\Faxdesk`]);
    expect(await readPolicy(computer('win32', REGISTRY.replace('0x1', '0x0')))).toMatchObject({
      start_at_login: false,
    });
    const { certificate: _none, ...others } = DECIDED;
    expect(await readPolicy(computer('win32', REGISTRY.replace(FINGERPRINT, '')))).toEqual(others);
    expect(await readPolicy(computer('win32', 1))).toEqual({});
    expect(await readPolicy(computer('win32', 5))).toBeNull();
  });

  it('is read from a profile of macOS', async () => {
    const {
      gateway: Gateway,
      certificate: Certificate,
      start_at_login: StartAtLogin,
      network: Network,
      updates: Updates,
    } = DECIDED;
    const profile = JSON.stringify({
      Gateway,
      Certificate,
      StartAtLogin,
      Network,
      Updates,
      PayloadUUID: 'x',
    });
    expect(await readPolicy(computer('darwin', profile))).toEqual(DECIDED);
    expect(await readPolicy(computer('darwin', 'none'))).toEqual({});
    expect(await readPolicy(computer('darwin', '{'))).toBeNull();
    expect(await readPolicy(computer('linux', profile))).toEqual({});
  });

  it('goes before the file of the office, whose other fields stay', () => {
    const text = JSON.stringify({ updates: '/srv/office', start_at_login: false });
    const { updates, ...others } = DECIDED;
    expect(parseOfficeFile(text, others)).toEqual({
      gateway: { address: DECIDED.gateway, fingerprint: FINGERPRINT },
      startAtLogin: true,
      isNetworkOff: true,
      updates: '/srv/office',
    });
    expect(parseOfficeFile('{', DECIDED)).toBeNull();
    expect(parseOfficeFile('[]', DECIDED)).toBeNull();
    expect(parseOfficeFile(null, { updates })).toEqual({ updates });
    expect(parseOfficeFile('{"network":"off"}', { network: 'on' })).toEqual({ isNetworkOff: false });
    expect(parseOfficeFile('{"network":"some"}')).toBeNull();
    expect(parseOfficeFile(null, { certificate: DECIDED.certificate })).toBeNull();
  });

  it('goes before the decisions of the MSI package, and so does the file', async () => {
    const ran: string[] = [];
    const values = REGISTRY.replace('REG_DWORD    0x1', 'REG_SZ    true');
    expect(await readPackage(computer('win32', values, ran))).toEqual(DECIDED);
    expect(ran).toEqual([String.raw`D:\Windows\System32\reg.exe query HKLM\SOFTWARE\Faxdesk`]);
    expect(await readPackage(computer('win32', values.replace('true', 'false')))).toMatchObject({
      start_at_login: false,
    });
    expect(await readPackage(computer('win32', 1))).toEqual({});
    expect(await readPackage(computer('win32', 5))).toBeNull();
    expect(await readPackage(computer('darwin', REGISTRY))).toEqual({});
    expect(parseOfficeFile('{"updates":"/srv/office"}', { network: 'on' }, DECIDED)).toEqual({
      gateway: { address: DECIDED.gateway, fingerprint: FINGERPRINT },
      startAtLogin: true,
      isNetworkOff: false,
      updates: '/srv/office',
    });
    expect(parseOfficeFile(null, {}, { start_at_login: 'maybe' })).toBeNull();
  });

  it('decides another gateway without the certificate of the package', () => {
    const gateway = 'https://other.example';
    const other = { gateway: { address: gateway, fingerprint: null } };
    const { gateway: address, certificate } = DECIDED;
    expect(parseOfficeFile(JSON.stringify({ gateway }), {}, { gateway: address, certificate })).toEqual(
      other,
    );
    expect(parseOfficeFile(null, { gateway }, { gateway: address, certificate })).toEqual(other);
  });

  const textOf = (name: string) => readFileSync(join(ROOT, 'deploy/policy', name), 'utf8');
  const all = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, found = '']) => found);

  it('has a template for group policies whose values are read and whose words are there', async () => {
    const [template, words] = [textOf('faxdesk.admx'), textOf('en-US/faxdesk.adml')];
    const names = all(template, /valueName="(\w+)"/gu);
    const lines = names.map((name) => `    ${name}    REG_SZ    x`);
    const read = await readPolicy(computer('win32', lines.join('\r\n')));
    expect(Object.keys(read ?? {}).sort()).toEqual(Object.keys(DECIDED).sort());
    expect(names).toHaveLength(Object.keys(DECIDED).length);
    expect(new Set(all(template, /key="([^"]+)"/gu))).toEqual(
      new Set([String.raw`SOFTWARE\Policies\Faxdesk`]),
    );
    expect(all(template, /\$\(string\.(\w+)\)/gu).sort()).toEqual(all(words, /<string id="(\w+)"/gu).sort());
    expect(all(template, /\$\(presentation\.(\w+)\)/gu)).toEqual(all(words, /<presentation id="(\w+)"/gu));
    expect(all(template, /<text id="(\w+)"/gu)).toEqual(all(words, /refId="(\w+)"/gu));
  });

  it('has a profile for macOS with the same names', async () => {
    const names = all(textOf('faxdesk.mobileconfig'), /<key>(\w+)<\/key>/gu);
    const profile = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])));
    const read = await readPolicy(computer('darwin', profile));
    expect(Object.keys(read ?? {}).sort()).toEqual(Object.keys(DECIDED).sort());
    expect(textOf('faxdesk.mobileconfig')).toContain('<string>org.faxdesk.desktop</string>');
  });
});
