import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { makeReadOnly, readOnlyUnavailable } from '../setup/read-only-folder.ts';
import { runWithFault } from '../setup/step-faults.ts';
import { NUMBER, OTHER, SCAN_MS, SendFolder } from './folders-setup.ts';

const NAME = `letter__${NUMBER}`;
let gateway: TestGateway;
let folder: SendFolder;

beforeEach(async () => {
  gateway = await startTestGateway();
  folder = new SendFolder(gateway);
  await folder.sendFor();
});
afterEach(() => gateway.close());

const submitted = () => gateway.emulator.faxes.size;

describe('the folder', () => {
  const AWAY =
    'Nothing is sent from the send folder, because Faxdesk cannot read and write there. Check that the folder exists and that Faxdesk has access to it.';

  test('that is away is a sentence until it is back', async () => {
    await rm(folder.path, { recursive: true });
    await writeFile(folder.path, 'in the way');
    await folder.scan();
    expect(await folder.warnings()).toEqual([AWAY]);
    await rm(folder.path);
    await folder.scan();
    expect(await folder.warnings()).toEqual([]);
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(2);
    expect(await folder.faxes()).toHaveLength(1);
  });

  test('whose place for what was sent is no folder of its own sends nothing', async () => {
    await rm(join(folder.path, 'sent'), { recursive: true });
    await symlink(gateway.dataFolder, join(folder.path, 'sent'), 'junction');
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(3);
    expect([await folder.faxes(), await folder.warnings()]).toEqual([[], [AWAY]]);
  });

  test.skipIf(readOnlyUnavailable !== null)(
    `whose “sent” is read-only sends nothing until it is not${readOnlyUnavailable ? ` (${readOnlyUnavailable})` : ''}`,
    async () => {
      await folder.dropFile(`${NAME}.pdf`);
      const release = await makeReadOnly(join(folder.path, 'sent'));
      try {
        await folder.scan(3);
        expect([await folder.faxes(), await folder.warnings()]).toEqual([[], [AWAY]]);
      } finally {
        await release();
      }
      await folder.scan(2);
      expect([(await folder.faxes()).length, await folder.names('sent')]).toEqual([
        1,
        [`${NAME}.pdf`, `${NAME}.txt`],
      ]);
    },
  );

  test('of another installation is not sent from, until its mark is taken away', async () => {
    const other = await startTestGateway({
      emulator: gateway.emulator,
      boot: { folders: [gateway.dataFolder] },
    });
    try {
      const theirs = new SendFolder(other, folder.path);
      await theirs.sendFor(['fax:send'], folder.path);
      await folder.dropFile(`${NAME}.pdf`);
      await theirs.scan(3);
      expect(await theirs.faxes()).toEqual([]);
      expect(await theirs.warnings()).toEqual([
        expect.stringContaining('it is marked for another installation of Faxdesk'),
      ]);
      await folder.scan(2);
      expect([(await folder.faxes()).length, submitted()]).toEqual([1, 1]);
      await rm(join(folder.path, '.faxdesk-send-folder'));
      await theirs.scan();
      expect(await theirs.warnings()).toEqual([]);
    } finally {
      await other.stop();
      await rm(other.dataFolder, { recursive: true, force: true });
    }
  });

  test.skipIf(process.platform === 'win32').each([
    [
      'a pipe that nobody writes to',
      async (mark: string) => {
        await rm(mark);
        execFileSync('mkfifo', [mark]);
      },
    ],
    [
      'a link to a copy of it',
      async (mark: string) => {
        await rename(mark, `${mark}-kept`);
        await symlink(`${mark}-kept`, mark);
      },
    ],
    ['a larger file that begins with it', (mark: string) => appendFile(mark, ' '.repeat(4096))],
  ])('whose mark is %s sends nothing, and the other work goes on', async (_, put) => {
    const mark = join(folder.path, '.faxdesk-send-folder');
    await put(mark);
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(2);
    expect(await folder.warnings()).toEqual([expect.stringContaining('marked for another installation')]);
    expect(await folder.faxes()).toEqual([]);
  });

  test('that is the import folder as well is sent from, and not imported', async () => {
    const root = await mkdtemp(join(tmpdir(), 'faxdesk-both-'));
    const both = await startTestGateway({ boot: { folders: [root] } });
    try {
      const theirs = new SendFolder(both, root);
      await theirs.sendFor(['fax:send'], root);
      await both.set({ INBOUND_ENABLED: true, IMPORT_FOLDER: root });
      await theirs.dropFile(`${NAME}.pdf`);
      await theirs.scan(3);
      expect(await (await both.request('GET', '/inbound')).json()).toEqual([]);
      expect(await theirs.faxes()).toHaveLength(1);
      expect(await theirs.warnings()).toContain(
        'Nothing is imported from the import folder, because it is also the send folder. Choose a different folder for one of them.',
      );
    } finally {
      await both.close();
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe('a file that was sent and cannot be moved yet', () => {
  const NOT_NOW =
    'A file in the send folder could not be sent or moved yet. It is tried again automatically and never sent twice; the log has the details.';
  const busyAt = (name: string) =>
    Object.assign(new Error('the file is open elsewhere'), { code: 'EBUSY', path: join(folder.path, name) });

  test('is sent once, holds up no other, and is moved when it can be', async () => {
    await folder.dropFile(`a__${NUMBER}.pdf`, OTHER);
    await folder.dropFile(`b__${NUMBER}.pdf`);
    const held = { at: /^rename .*a__\+12025550123\.pdf$/u, with: busyAt(`a__${NUMBER}.pdf`) };
    await runWithFault(held, () => folder.scan(4));
    expect([(await folder.faxes()).length, await folder.warnings()]).toEqual([2, [NOT_NOW]]);
    await folder.scan();
    expect([(await folder.faxes()).length, await folder.names(), await folder.warnings()]).toEqual([
      2,
      ['failed', 'sent'],
      [],
    ]);
  });

  test('is not sent again after a restart, also where mailbox and sender are others by then', async () => {
    await folder.dropFile(`${NAME}.pdf`);
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    await runWithFault({ at: /^writeFile .*\.txt$/u, with: full }, () => folder.scan(3));
    const [fax] = await folder.faxes();
    expect([await folder.names(), await folder.warnings()]).toEqual([
      ['failed', `${NAME}.pdf`, 'sent'],
      [NOT_NOW],
    ]);
    gateway = await gateway.restart();
    folder = new SendFolder(gateway);
    await gateway.request('POST', '/access/mailboxes', {
      json: { label: 'Pharmacy', expected_policy_version: await policy() },
    });
    await gateway.set({ SEND_FOLDER_MAILBOX: 'Pharmacy' });
    await folder.sendFor();
    await folder.scan(3);
    expect(await folder.faxes()).toMatchObject([{ id: fax?.id, mailbox: null }]);
    expect(await folder.names('sent')).toContain(`${NAME}.pdf`);
  });

  test('by its .json is not left a .json that the next file of the name would take', async () => {
    await folder.dropFile(`${NAME}.pdf`);
    await folder.dropFile(`${NAME}.json`, '{"cover":"Dear Ann"}');
    await folder.scan(2);
    await rename(join(folder.path, 'sent', `${NAME}.json`), join(folder.path, `${NAME}.json`));
    await folder.scan(Math.ceil(MINUTE / SCAN_MS) + 2);
    expect([await folder.names(), (await folder.faxes()).length]).toEqual([['failed', 'sent'], 1]);
    expect(await folder.names('sent')).toContain(`${NAME}.json`);
  });
});

async function policy(): Promise<number> {
  const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
  return me.policy_version;
}
