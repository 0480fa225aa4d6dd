import { expect, test } from 'vitest';
import { isKeptOutOfNetwork } from '../../server/cli/service/office-network.ts';
import { ServiceComputer } from '../setup/service-computer.ts';

const FILES = {
  linux: '/etc/faxdesk/desktop.json',
  darwin: '/Library/Application Support/Faxdesk/desktop.json',
  win32: String.raw`C:\Program Files\Faxdesk policy\desktop.json`,
} as const;
const PROFILE = '/Library/Managed Preferences/org.faxdesk.desktop.plist';
const POLICY = String.raw`reg.exe query HKLM\SOFTWARE\Policies\Faxdesk`;
const PACKAGE = String.raw`reg.exe query HKLM\SOFTWARE\Faxdesk`;

interface Decisions {
  readonly file?: string;
  readonly profile?: string;
  readonly policy?: string;
  readonly packaged?: string;
}

const values = (value: string) =>
  `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Faxdesk\r\n    Network    REG_SZ    ${value}\r\n`;

function computer(
  platform: keyof typeof FILES,
  { file, profile, policy, packaged }: Decisions,
): ServiceComputer {
  const system = new ServiceComputer(platform);
  if (file !== undefined) system.files.set(FILES[platform], file);
  if (profile !== undefined) system.files.set(PROFILE, 'a binary list');
  system.answer = (call) => {
    if (call.includes('plutil')) return { output: profile ?? '' };
    const value = call.endsWith(POLICY) ? policy : call.endsWith(PACKAGE) ? packaged : undefined;
    if (value === 'broken') return { code: 2 };
    return value === undefined ? { code: 1 } : { output: values(value) };
  };
  return system;
}

const off = '{"network":"off","gateway":"https://fax.example.office:8443"}';

test.each([
  ['linux', {}, false],
  ['linux', { file: off }, true],
  ['linux', { file: '{"network":"on"}' }, false],
  ['linux', { file: '{"updates":"off"}' }, false],
  ['darwin', { file: off }, true],
  ['darwin', { profile: '{"Network":"off","StartAtLogin":true}' }, true],
  ['darwin', { profile: '{"Network":"on"}', file: off }, false],
  ['darwin', { profile: '{"Updates":"off"}', file: off }, true],
  ['win32', {}, false],
  ['win32', { policy: 'off' }, true],
  ['win32', { policy: 'on', file: off, packaged: 'off' }, false],
  ['win32', { policy: '', file: off }, true],
  ['win32', { packaged: 'off' }, true],
  ['win32', { packaged: 'off', file: '{"network":"on"}' }, false],
] as const)(
  'rule (desktop): a gateway of a whole computer obeys the office [%s %j]',
  async (platform, decisions, isOff) => {
    expect(await isKeptOutOfNetwork(computer(platform, decisions))).toBe(isOff);
  },
);

test.each([
  ['linux', { file: '{broken' }],
  ['linux', { file: '{"network":"closed"}' }],
  ['linux', { file: '[]' }],
  ['darwin', { profile: 'not JSON' }],
  ['win32', { policy: 'broken' }],
  ['win32', { policy: 'maybe' }],
] as const)('decisions that cannot be read keep the gateway closed [%s %j]', async (platform, decisions) => {
  expect(await isKeptOutOfNetwork(computer(platform, decisions))).toBe(true);
});
