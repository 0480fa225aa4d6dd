import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeOverRoaming } from '../../main/own-folder.ts';

describe('the own folder of the application on Windows', () => {
  let root: string;
  let roaming: string;
  let own: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'faxdesk-roaming-'));
    // With the character that JSON writes twice.
    roaming = join(root, String.raw`server\profiles`, 'Faxdesk');
    own = join(root, 'local', 'Faxdesk');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(files: Readonly<Record<string, string>>, folder = roaming): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  const read = (name: string, folder = own) => readFileSync(join(folder, name), 'utf8');

  it('rule (desktop): takes over the key, the preferences and the drafts of an earlier version, which can go on with its own', () => {
    const kept = join(roaming, 'kept-installer', 'Faxdesk-0.1.0.exe');
    write({
      'Local State': '{"os_crypt":{"encrypted_key":"RFBB"}}',
      'preferences.json': '{"printer":"Front desk"}',
      'update.json': JSON.stringify({ underway: null, kept: { file: kept }, paused: '0.2.0' }),
      'Partitions/own/Local Storage/draft': 'a draft',
      'Partitions/own/Code Cache/js': 'a cache',
      'Partitions/own/Cache/data': 'a cache',
      'kept-installer/Faxdesk-0.1.0.exe': 'an installer',
      'update-id': 'of another computer, perhaps',
      'installation.key': 'of a gateway, which stays where it is',
    });
    takeOverRoaming(roaming, own);
    expect(readdirSync(own).toSorted()).toEqual([
      'Local State',
      'Partitions',
      'kept-installer',
      'preferences.json',
      'roaming-taken-over',
      'update.json',
    ]);
    expect(readdirSync(join(own, 'Partitions/own'))).toEqual(['Local Storage']);
    expect(read('Partitions/own/Local Storage/draft')).toBe('a draft');
    const record = JSON.parse(read('update.json')) as { kept: { file: string }; paused: string };
    expect(readFileSync(record.kept.file, 'utf8')).toBe('an installer');
    expect(record).toMatchObject({ kept: { file: join(own, 'kept-installer', 'Faxdesk-0.1.0.exe') } });
    for (const name of ['Local State', 'preferences.json']) expect(read(name)).toBe(read(name, roaming));
    expect(existsSync(join(roaming, 'kept-installer'))).toBe(false);
  });

  it('rule (desktop): is that of its computer from then on, whatever roams', () => {
    takeOverRoaming(roaming, own);
    write({ 'Local State': 'of another computer', 'preferences.json': 'of another computer' });
    takeOverRoaming(roaming, own);
    expect(readdirSync(own)).toEqual(['roaming-taken-over']);
  });

  it('continues what was interrupted, and never replaces what it has', () => {
    write({
      'Local State': 'the key',
      'preferences.json': 'the printer',
      'window.json': 'the window',
      'Partitions/own/draft': 'a draft',
    });
    // In the way, as a file that another program holds open.
    write({ 'window.json.new/file': '', 'Partitions.new/half': '' }, own);
    expect(() => takeOverRoaming(roaming, own)).toThrow();
    expect(read('preferences.json')).toBe('the printer');
    write({ 'preferences.json': 'changed meanwhile' });
    rmSync(join(own, 'window.json.new'), { recursive: true });
    takeOverRoaming(roaming, own);
    expect(read('preferences.json')).toBe('the printer');
    expect(read('window.json')).toBe('the window');
    expect(readdirSync(join(own, 'Partitions'))).toEqual(['own']);
  });

  it('starts without an installer that cannot be moved', () => {
    write({ 'updates/Faxdesk-0.2.0.exe': 'an installer', 'preferences.json': 'the printer' });
    write({ updates: 'a file' }, own);
    takeOverRoaming(roaming, own);
    expect(read('preferences.json')).toBe('the printer');
    expect(read('updates/Faxdesk-0.2.0.exe', roaming)).toBe('an installer');
  });

  it('stays as it is where nothing roams', () => {
    write({ 'preferences.json': 'the printer' });
    takeOverRoaming(roaming, roaming);
    expect(readdirSync(roaming)).toEqual(['preferences.json']);
  });
});
