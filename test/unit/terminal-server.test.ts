import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Computer } from '../../main/computer.ts';
import { findGatewayPlace, isTerminalServer } from '../../main/terminal-server.ts';
import { EDITION, PRODUCT, printed, SESSION_HOST, SESSIONS } from '../setup/windows-registry.ts';

/** A computer with these outputs of `reg query`, by its words; it ends with a code where there is none. */
const computer = (
  outputs: Readonly<Record<string, string>>,
  {
    systemName = 'Windows Server 2022 Standard',
    code = 1,
    ran = [],
  }: { systemName?: string; code?: number | string | null; ran?: string[] } = {},
): Computer => ({
  platform: 'win32',
  systemName,
  systemFolder: String.raw`C:\Windows`,
  exists: () => false,
  run: async (program, [, ...words]) => {
    ran.push(program);
    const text = outputs[words.join(' ')];
    if (text === undefined) throw Object.assign(new Error('it failed'), { code });
    return text;
  },
});

const suites = (text: string) => printed(PRODUCT, `ProductSuite    REG_MULTI_SZ    ${text}`);
const sessions = (value: string) =>
  printed(
    SESSIONS,
    'AllowRemoteRPC    REG_DWORD    0x1',
    `TSAppCompat    REG_DWORD    ${value}`,
    'ProductVersion    REG_SZ    5.1',
  );
const edition = (name: string) => printed(EDITION, `EditionID    REG_SZ    ${name}`);

describe('a terminal server', () => {
  it('is a host of remote desktop sessions', async () => {
    const ran: string[] = [];
    expect(await isTerminalServer(computer(SESSION_HOST, { ran }))).toBe(true);
    expect(new Set(ran)).toEqual(new Set([String.raw`C:\Windows\System32\reg.exe`]));
    const enterprise = { ...SESSION_HOST, ...suites(String.raw`Enterprise\0Terminal Server`) };
    expect(await isTerminalServer(computer(enterprise))).toBe(true);
  });

  it('is Windows 10 or 11 for several sessions', async () => {
    for (const name of ['ServerRdsh', 'EnterpriseMultiSession'])
      expect(await isTerminalServer(computer({ ...sessions('0x0'), ...edition(name) }))).toBe(true);
  });

  it('is no server that is only administered from elsewhere, and no computer for one person', async () => {
    for (const systemName of ['Windows Server 2022 Standard', 'Windows 11 Pro']) {
      const none = { ...SESSION_HOST, ...sessions('0x0') };
      expect(await isTerminalServer(computer(none, { systemName }))).toBe(false);
      const absent = { ...SESSION_HOST, ...printed(SESSIONS, 'fDenyTSConnections    REG_DWORD    0x0') };
      expect(await isTerminalServer(computer(absent, { systemName }))).toBe(false);
      const single = { ...SESSION_HOST, ...suites(String.raw`Terminal Server\0Single User Terminal Server`) };
      expect(await isTerminalServer(computer(single, { systemName }))).toBe(false);
      const another = { ...SESSION_HOST, ...printed(PRODUCT, 'ProductSuite    REG_MULTI_SZ') };
      expect(await isTerminalServer(computer(another, { systemName }))).toBe(false);
    }
  });

  it('goes by the name of Windows where the registry cannot be read', async () => {
    const named = (systemName: string, code: number | string | null = 1, outputs = {}) =>
      isTerminalServer(computer(outputs, { systemName, code }));
    for (const code of [1, 5, 'ENOENT', null]) {
      expect(await named('Windows Server 2022 Standard', code)).toBe(true);
      expect(await named('Windows 10 Enterprise for Virtual Desktops', code)).toBe(true);
      expect(await named('Windows 11 Enterprise multi-session', code)).toBe(true);
      expect(await named('Windows 11 Pro', code)).toBe(false);
    }
    expect(await named('Windows Server 2022 Standard', 1, sessions('0x1'))).toBe(true);
    expect(await named('Windows 11 Pro', 1, sessions('0x1'))).toBe(false);
  });

  it('is none with another system, whose registry is not read', async () => {
    for (const platform of ['linux', 'darwin']) {
      const ran: string[] = [];
      expect(await isTerminalServer({ ...computer(SESSION_HOST, { ran }), platform })).toBe(false);
      expect(ran).toEqual([]);
    }
  });
});

describe('the gateway of an account', () => {
  const place = async (dataFolder: string, facts: object = {}) =>
    findGatewayPlace({ isForSeveral: true, isDecided: false, dataFolder, ...facts });

  it('rule (desktop): is elsewhere on a terminal server, but an account keeps the installation that it has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'faxdesk-place-'));
    try {
      const data = join(folder, 'data');
      expect(await place(data, { isForSeveral: false })).toBe('own');
      expect(await place(data)).toBe('elsewhere');
      mkdirSync(join(data, 'logs'), { recursive: true });
      expect(await place(data)).toBe('elsewhere');
      for (const name of ['faxdesk.sqlite', 'installation.key', 'data.key', 'restore-undecided.json']) {
        writeFileSync(join(data, name), '');
        expect(await place(data), name).toBe('kept');
        expect(await place(data, { isDecided: true })).toBe('elsewhere');
        rmSync(join(data, name));
      }
      writeFileSync(join(folder, 'file'), '');
      expect(await place(join(folder, 'file'))).toBe('kept');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
