import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { checkBackup } from '../../server/backup/check-backup.ts';
import { createBackup } from '../../server/backup/create-backup.ts';
import { newId } from '../../server/platform/ids.ts';
import { makeInstallation, NOW, RELEASE } from '../store/backup-setup.ts';
import { childOptions, serveCalls } from './child.ts';

export interface BackupCost {
  /** Microseconds for each document. */
  writing: number;
  checking: number;
  /** Highest memory of the process, in MB. */
  peakMb: number;
}

const CONTENT = Buffer.alloc(4_000, '%PDF');

// Makes a backup of an installation with so many documents of 4 KB, which are not on the disk, and checks it.
const { documents } = childOptions() as { documents: number };
const installation = await makeInstallation(null);
const storage = {
  ...installation.storage,
  async *names() {
    for (let made = 0; made < documents; made += 1) yield `fax/${newId()}.pdf`;
  },
  open: async () => ({ stream: Readable.from([CONTENT], { objectMode: false }), sizeBytes: CONTENT.length }),
};
const source = {
  store: { postgresUrl: null, sqliteFile: join(installation.folder, 'faxdesk.sqlite') },
  storage,
  keys: {},
  hasEveryKey: () => Promise.resolve(true),
};

serveCalls(null, {
  async measure(): Promise<BackupCost> {
    const file = join(installation.folder, 'bench.zip');
    const began = performance.now();
    await createBackup(source, file, { release: RELEASE, clock: { now: () => NOW }, recipients: [] });
    const written = performance.now();
    await checkBackup(file, { release: RELEASE, identities: null, onProgress: () => undefined });
    const checked = performance.now();
    await rm(file);
    const each = (ms: number) => (ms * 1000) / documents;
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
    return { writing: each(written - began), checking: each(checked - written), peakMb };
  },
  stop: () => installation.remove(),
});
