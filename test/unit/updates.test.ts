import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PublisherCheck } from '../../main/updates/publisher.ts';
import type { Installer } from '../../main/updates/update-record.ts';
import {
  createUpdates,
  type OwnInstaller,
  type UpdateParts,
  type UpdateState,
} from '../../main/updates/updates.ts';
import { ManualTimers } from '../setup/manual-timers.ts';
import {
  entryOf,
  INSTALLER,
  MAKERS,
  OTHERS,
  serveFeed,
  signedEntry,
  writeFeed,
} from '../setup/update-feed.ts';

const HOUR_MS = 3_600_000;
const NAME = 'Faxdesk-0.2.0-linux-x86_64.AppImage';

let root: string;
let feed: string;
let downloads: string;
let closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'faxdesk-updates-'));
  feed = join(root, 'feed');
  downloads = join(root, 'downloads');
});

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
  rmSync(root, { recursive: true });
});

function open(changes: Partial<UpdateParts> = {}) {
  const timers = new ManualTimers();
  const states: UpdateState[] = [];
  const notes: string[] = [];
  const updates = createUpdates({
    settings: { kind: 'on', feed: { kind: 'folder', path: feed } },
    version: '0.1.0',
    paused: () => null,
    ownInstaller: { folder: join(root, 'kept'), isMissing: async () => false, keep: async () => {} },
    checkPublisher: async () => 'confirmed',
    system: { platform: 'linux', arch: 'x64' },
    keys: [],
    computer: 'a',
    folder: downloads,
    fetch,
    later: (work, ms) => timers.after(ms, work),
    random: () => 0.5,
    onState: (state) => states.push(state),
    note: (line) => notes.push(line),
    ...changes,
  });
  return { updates, timers, states, notes };
}

async function openOnWeb(options?: { takesRanges?: boolean }) {
  const server = await serveFeed(feed, options);
  closing.push(server.close);
  const settings = { kind: 'on', feed: { kind: 'web', address: server.address } } as const;
  return { server, ...open({ settings }) };
}

function partSize(): number {
  const part = present().find((name) => name.endsWith('.part.AppImage'));
  return part === undefined ? 0 : statSync(join(downloads, part)).size;
}

const present = () => (existsSync(downloads) ? readdirSync(downloads) : []);

describe('a newer version', () => {
  it('is downloaded whole from a folder', async () => {
    writeFeed(feed);
    const { updates, states } = open();
    await updates.check();
    const file = join(downloads, NAME);
    const notes = 'Faxes are easier to find.';
    const { size, sha512 } = entryOf();
    const installer = { version: '0.2.0', file, size, sha512 };
    expect(states).toEqual([
      { kind: 'checking' },
      { kind: 'downloading', version: '0.2.0' },
      { kind: 'ready', version: '0.2.0', notes, installer, hasWayBack: true },
    ]);
    expect(readFileSync(file)).toEqual(INSTALLER);
  });

  it('that did not work on this computer is not offered again, and the one after it is', async () => {
    writeFeed(feed);
    const { updates } = open({ paused: () => '0.2.0' });
    await updates.check();
    expect(updates.state).toEqual({ kind: 'paused', version: '0.2.0' });
    expect(present()).toEqual([]);
    writeFeed(feed, entryOf({ version: '0.2.1' }));
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.1' });
  });

  it('is downloaded from a web address, once', async () => {
    writeFeed(feed);
    const { updates, server } = await openOnWeb();
    await updates.check();
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.0' });
    expect(server.ranges).toEqual([null]);
  });

  it('is continued where its download broke off', async () => {
    writeFeed(feed);
    const { updates, server } = await openOnWeb();
    server.breakOff(100_000, () => partSize() === 100_000);
    await updates.check();
    expect(updates.state).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('continues later'),
    });
    expect(present()).toEqual([expect.stringMatching(/\.part\.AppImage$/u)]);
    server.repair();
    await updates.check();
    expect(updates.state.kind).toBe('ready');
    expect(server.ranges).toEqual([null, 'bytes=100000-']);
    expect(readFileSync(join(downloads, NAME))).toEqual(INSTALLER);
  });

  it('begins over where the server continues nothing', async () => {
    writeFeed(feed);
    const { updates, server } = await openOnWeb({ takesRanges: false });
    server.breakOff(100_000, () => partSize() === 100_000);
    await updates.check();
    server.repair();
    await updates.check();
    expect(readFileSync(join(downloads, NAME))).toEqual(INSTALLER);
  });

  it('replaces the installer of the one before, once it is whole', async () => {
    writeFeed(feed);
    const { updates } = open();
    await updates.check();
    const file = 'Faxdesk-0.3.0-linux-x86_64.AppImage';
    writeFeed(feed, entryOf({ version: '0.3.0', file, size: INSTALLER.length + 1 }));
    await updates.check();
    // The broken one left the good one alone.
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.0' });
    expect(present()).toContain(NAME);
    writeFeed(feed, entryOf({ version: '0.3.0', file }));
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.3.0' });
    expect(present()).toEqual([file]);
  });
});

describe('a download that is not what its entry describes', () => {
  it('is refused and removed, and taken later when it is whole', async () => {
    const changed = Buffer.from(INSTALLER);
    changed.writeUInt8((changed[200_000] ?? 0) ^ 1, 200_000);
    writeFeed(feed, entryOf(), changed);
    const { updates } = open();
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'failed', sentence: expect.stringContaining('damaged') });
    expect(present()).toEqual([]);
    writeFeed(feed);
    await updates.check();
    expect(updates.state.kind).toBe('ready');
  });

  it('is refused when it is longer, and when the file at hand was changed', async () => {
    writeFeed(feed, entryOf(), Buffer.concat([INSTALLER, INSTALLER]));
    const { updates } = open();
    await updates.check();
    // The first bytes are right, and no more are taken.
    expect(updates.state.kind).toBe('failed');
    writeFeed(feed);
    await updates.check();
    writeFileSync(join(downloads, NAME), Buffer.alloc(INSTALLER.length));
    await updates.check();
    expect(readFileSync(join(downloads, NAME))).toEqual(INSTALLER);
  });
});

describe('the publisher of a newer version', () => {
  function openChecking(outcomes: PublisherCheck[], changes: Partial<UpdateParts> = {}) {
    const checked: string[] = [];
    const checkPublisher = async (file: string) => {
      checked.push(file);
      return outcomes.shift() ?? 'confirmed';
    };
    return { checked, ...open({ checkPublisher, ...changes }) };
  }

  it('is checked once, before the version is offered and under a name of its kind', async () => {
    writeFeed(feed);
    const { updates, states, checked } = openChecking([]);
    await updates.check();
    await updates.check();
    expect(checked).toEqual([expect.stringMatching(/\.part\.AppImage$/u)]);
    expect(states.map(({ kind }) => kind).slice(0, 3)).toEqual(['checking', 'downloading', 'ready']);
    // An earlier version may have downloaded it without a check.
    const later = openChecking([]);
    await later.updates.check();
    expect([later.checked, later.updates.state.kind]).toEqual([[join(downloads, NAME)], 'ready']);
  });

  it('rule (desktop): is confirmed by the system, or the version is thrown away, not offered and not downloaded again', async () => {
    writeFeed(feed);
    const server = await serveFeed(feed);
    closing.push(server.close);
    const settings = { kind: 'on', feed: { kind: 'web', address: server.address } } as const;
    const { updates, checked, states } = openChecking(['refused'], { settings });
    const refused = { kind: 'failed', sentence: expect.stringContaining('thrown away') };
    for (const _ of ['a day', 'the next']) {
      await updates.check();
      expect([updates.state, present()]).toEqual([refused, []]);
    }
    expect(states.map(({ kind }) => kind)).not.toContain('ready');
    expect([server.ranges, checked.length]).toEqual([[null], 1]);
    // The repaired one is another file.
    const repaired = Buffer.concat([INSTALLER, INSTALLER]);
    const sha512 = createHash('sha512').update(repaired).digest('hex');
    writeFeed(feed, entryOf({ size: repaired.length, sha512 }), repaired);
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.0' });
  });

  it('that is refused leaves the version alone that is offered', async () => {
    writeFeed(feed);
    const { updates } = openChecking(['confirmed', 'refused']);
    await updates.check();
    const changed = Buffer.from(INSTALLER).fill(1);
    const sha512 = createHash('sha512').update(changed).digest('hex');
    writeFeed(feed, entryOf({ version: '0.2.1', sha512 }), changed);
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.0' });
    expect(present()).toEqual([NAME]);
    expect(readFileSync(join(downloads, NAME))).toEqual(INSTALLER);
  });

  it('that could not be checked is checked again later, without another download', async () => {
    writeFeed(feed);
    const { updates, checked } = openChecking(['unknown']);
    await updates.check();
    expect(updates.state).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('could not check who published'),
    });
    rmSync(join(feed, NAME));
    await updates.check();
    expect([updates.state.kind, checked.length]).toEqual(['ready', 2]);
  });
});

describe('an entry', () => {
  it.each(['0.1.0', '0.0.9', '0.0.10'])('with version %s is not newer than 0.1.0', async (version) => {
    writeFeed(feed, entryOf({ version }));
    const { updates } = open();
    await updates.check();
    expect(updates.state).toEqual({ kind: 'newest' });
    expect(present()).toEqual([]);
  });

  it('counts the parts of a version as numbers', async () => {
    writeFeed(feed, entryOf({ version: '0.10.0' }));
    const { updates } = open({ version: '0.9.9' });
    await updates.check();
    expect(updates.state.kind).toBe('ready');
  });

  it.each([
    { file: '../Faxdesk.exe' },
    { file: 'folder/Faxdesk.exe' },
    { file: 'https://other.example/Faxdesk.exe' },
    { file: 'Faxdesk.sh' },
    { file: 'Faxdesk-0.2.0-win-x64-everyone.exe' },
    { file: 'Faxdesk-0.2.0-win-x64.msi' },
    { file: '.AppImage' },
    { version: '0.2' },
    { version: 2 },
    { sha512: 'AB' },
    { size: 0 },
    { size: 2e12 },
    { percentage: 101 },
  ])('with %j is refused', async (changes) => {
    const name = entryOf()['file'];
    writeFeed(feed);
    writeFileSync(join(feed, 'latest-linux-x64.json'), JSON.stringify({ file: name, ...entryOf(changes) }));
    const { updates } = open();
    await updates.check();
    expect(updates.state).toMatchObject({
      kind: 'failed',
      sentence: expect.stringContaining('could not read'),
    });
    expect(present()).toEqual([]);
  });

  it('that is missing, too long or no JSON is a failure with a sentence', async () => {
    const { updates, notes } = open();
    await updates.check();
    expect(updates.state).toMatchObject({ sentence: expect.stringContaining('could not reach') });
    expect(notes.join()).toContain('ENOENT');
    for (const text of ['<html>', 'x'.repeat(200_000)]) {
      writeFeed(feed);
      writeFileSync(join(feed, 'latest-linux-x64.json'), text);
      await updates.check();
      expect(updates.state.kind).toBe('failed');
    }
  });

  it('that is withdrawn takes its version back', async () => {
    writeFeed(feed);
    const { updates } = open();
    await updates.check();
    writeFeed(feed, entryOf({ version: '0.1.0' }));
    await updates.check();
    expect(updates.state).toEqual({ kind: 'newest' });
  });

  it('in stages reaches its share of the computers, the same ones at every check', async () => {
    const taken = async (percentage: number) => {
      writeFeed(feed, entryOf({ percentage }));
      const found: string[] = [];
      for (let number = 0; number < 100; number += 1) {
        const { updates } = open({ computer: `computer ${number}` });
        await updates.check();
        if (updates.state.kind === 'ready') found.push(`computer ${number}`);
      }
      return found;
    };
    const [none, some, half] = [await taken(0), await taken(10), await taken(50)];
    expect(none).toEqual([]);
    expect(some.length).toBeGreaterThan(2);
    expect(some.length).toBeLessThan(25);
    expect(half).toEqual(expect.arrayContaining(some));
    expect(half.length).toBeGreaterThan(30);
    expect(await taken(50)).toEqual(half);
    expect(await taken(100)).toHaveLength(100);
  });
});

describe('an application with keys of its makers', () => {
  const keys = [MAKERS.publicKey];
  const check = async (entry: Record<string, unknown>, changes: Partial<UpdateParts> = {}) => {
    writeFeed(feed, entry);
    const { updates, states } = open({ keys, ...changes });
    await updates.check();
    return { state: updates.state, hasBegun: states.some(({ kind }) => kind === 'downloading') };
  };

  it('takes a version that is signed, in stages as well', async () => {
    const { state } = await check(signedEntry(entryOf()));
    expect(state).toMatchObject({ kind: 'ready', version: '0.2.0' });
    expect((await check({ ...signedEntry(entryOf()), percentage: 0 })).state).toEqual({ kind: 'newest' });
  });

  const signed = signedEntry(entryOf());
  it.each([
    ['without a signature', entryOf()],
    ['signed by others', signedEntry(entryOf(), [OTHERS.privateKey])],
    ['for another system', signedEntry(entryOf(), undefined, { platform: 'win32', arch: 'x64' })],
    ['for another processor', signedEntry(entryOf(), undefined, { platform: 'linux', arch: 'arm64' })],
    ['under another version', { ...signed, version: '0.3.0' }],
    ['with another file', { ...signed, file: 'Faxdesk-0.2.1-linux-x86_64.AppImage' }],
    ['with another size', { ...signed, size: INSTALLER.length - 1 }],
    ['with another hash', { ...signed, sha512: 'a'.repeat(128) }],
    ['with other notes', { ...signed, notes: 'Call this number.' }],
    ['with a signature of another kind', { ...signed, signatures: ['', 'AAAA', 'no Base64'] }],
  ])(
    'rule (desktop): an application with a key downloads nothing that its makers did not sign [%s]',
    async (_, entry) => {
      const { state, hasBegun } = await check(entry);
      const sentence = expect.stringContaining('does not come from the makers of this Faxdesk');
      expect(state).toEqual({ kind: 'failed', sentence });
      expect([hasBegun, present()]).toEqual([false, []]);
    },
  );

  it('is not led back to an older version that was signed in its time', async () => {
    const entry = signedEntry(entryOf());
    const { state, hasBegun } = await check(entry, { version: '0.2.1' });
    expect([state, hasBegun]).toEqual([{ kind: 'newest' }, false]);
  });

  it('takes either of two keys, so that one can replace the other', async () => {
    const both = [MAKERS.privateKey, OTHERS.privateKey];
    const before = await check(signedEntry(entryOf(), both));
    const after = await check(signedEntry(entryOf(), both), { keys: [OTHERS.publicKey] });
    const during = await check(signedEntry(entryOf(), [OTHERS.privateKey]), {
      keys: [MAKERS.publicKey, OTHERS.publicKey],
    });
    expect([before, during, after].map(({ state }) => state.kind)).toEqual(['ready', 'ready', 'ready']);
  });
});

describe('the installer of the running version', () => {
  const OWN = 'Faxdesk-0.1.0-win-x64.exe';
  const own = Buffer.from('the installer of the running version');
  const ownEntry = (changes: Record<string, unknown> = {}) => {
    const sha512 = createHash('sha512').update(own).digest('hex');
    return entryOf({ version: '0.1.0', file: OWN, size: own.length, sha512, ...changes });
  };
  /** Holds the entries of the time when that version was published. */
  function publishOwn(entry = ownEntry(), name = '0.1.0-linux-x64.json') {
    writeFileSync(join(feed, OWN), own);
    writeFileSync(join(feed, name), JSON.stringify(entry));
  }
  function openKeeping(changes: Partial<UpdateParts> = {}) {
    const kept: Installer[] = [];
    const ownInstaller: OwnInstaller = {
      folder: join(root, 'kept'),
      isMissing: async () => kept.length === 0,
      keep: async (installer) => void kept.push(installer),
    };
    return { kept, ...open({ ownInstaller, ...changes }) };
  }
  const newer = (signing = (entry: Record<string, unknown>) => entry) =>
    writeFeed(feed, signing(entryOf({ file: 'Faxdesk-0.2.0-win-x64.exe' })));

  it('rule (desktop): is fetched once before the newer version is offered, so that there is a way back', async () => {
    newer();
    publishOwn();
    const { updates, kept } = openKeeping();
    await updates.check();
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.0', hasWayBack: true });
    expect(kept).toMatchObject([{ version: '0.1.0', file: join(root, 'kept', OWN), size: own.length }]);
    expect(readFileSync(join(root, 'kept', OWN))).toEqual(own);
    expect(present()).toEqual(['Faxdesk-0.2.0-win-x64.exe']);
  });

  it.each([
    ['the place does not have it', () => {}],
    ['it was changed', () => publishOwn(ownEntry({ sha512: 'a'.repeat(128) }))],
    ['its entry is that of another version', () => publishOwn(ownEntry({ version: '0.0.9' }))],
  ])('is not kept when %s, and the newer version is offered all the same', async (_, publish) => {
    newer();
    publish();
    const { updates, kept, notes } = openKeeping();
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', version: '0.2.0', hasWayBack: false });
    expect(kept).toEqual([]);
    expect(notes.join()).toContain('the installer of version 0.1.0 could not be kept');
    publishOwn();
    await updates.check();
    expect([updates.state, kept.length]).toMatchObject([{ hasWayBack: true }, 1]);
  });

  it('is signed as every other, where the application has a key of its makers', async () => {
    newer(signedEntry);
    publishOwn();
    const { updates, kept } = openKeeping({ keys: [MAKERS.publicKey] });
    await updates.check();
    expect([updates.state, kept]).toMatchObject([{ kind: 'ready', hasWayBack: false }, []]);
    publishOwn(signedEntry(ownEntry()));
    await updates.check();
    expect([updates.state, kept.length]).toMatchObject([{ hasWayBack: true }, 1]);
  });

  it('is at the tag of its version on GitHub', async () => {
    newer();
    publishOwn();
    const asked: string[] = [];
    const { updates } = openKeeping({
      settings: { kind: 'on', feed: { kind: 'github', project: 'example/faxdesk' } },
      fetch: async (address) => {
        asked.push(address.replace('https://github.com/example/faxdesk/releases/', ''));
        return new Response(readFileSync(join(feed, address.split('/').at(-1) ?? '')));
      },
    });
    await updates.check();
    expect(updates.state).toMatchObject({ kind: 'ready', hasWayBack: true });
    expect(asked).toEqual([
      'latest/download/latest-linux-x64.json',
      'latest/download/Faxdesk-0.2.0-win-x64.exe',
      'download/v0.1.0/0.1.0-linux-x64.json',
      `download/v0.1.0/${OWN}`,
    ]);
  });
});

describe('the time of checks', () => {
  it('is a random point of the first hour, so that computers of an office ask one after the other', () => {
    const first = (random: number) => {
      const { updates, timers } = open({ random: () => random });
      updates.start();
      return timers.waits.map(({ ms }) => ms);
    };
    expect(first(0)).toEqual([60_000]);
    expect(first(0.5)).toEqual([30.5 * 60_000]);
    expect(first(1)).toEqual([HOUR_MS]);
  });

  it('is about a day later, and hours after a failure', async () => {
    const { updates, timers } = open();
    updates.start();
    timers.ring(30.5 * 60_000);
    await expect.poll(() => updates.state.kind).toBe('failed');
    await expect.poll(() => timers.waits.map(({ ms }) => ms)).toEqual([2 * HOUR_MS]);
    writeFeed(feed);
    timers.ring(2 * HOUR_MS);
    await expect.poll(() => timers.waits.map(({ ms }) => ms)).toEqual([24 * HOUR_MS]);
    expect(updates.state.kind).toBe('ready');
  });

  it('is one check when a person asks during another', async () => {
    writeFeed(feed);
    const { updates, states } = open();
    await Promise.all([updates.check(), updates.check()]);
    expect(states.filter(({ kind }) => kind === 'checking')).toHaveLength(1);
  });

  it('never comes where they are off, or after the end', async () => {
    writeFeed(feed);
    const off = open({ settings: { kind: 'off', sentence: 'Off.' } });
    off.updates.start();
    await off.updates.check();
    expect(off.timers.waits).toEqual([]);
    expect(off.updates.state).toEqual({ kind: 'off', sentence: 'Off.' });
    const ended = open();
    ended.updates.start();
    ended.updates.stop();
    await ended.updates.check();
    expect(ended.timers.waits).toEqual([]);
    expect(ended.states).toEqual([]);
  });
});
