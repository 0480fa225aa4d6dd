import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import { createDocuments, type Documents } from '../../server/documents/documents.ts';
import { createSecurityAudit } from '../../server/features/audit/service.ts';
import { createInbound, type InboundRoom } from '../../server/features/inbound/room.ts';
import type { FiledFax } from '../../server/features/inbound/types.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { createAnnouncer } from '../../server/platform/events.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { CLOCK, type SettingsProcess, startSettings } from '../setup/settings-room.ts';

/** What a higher room does with a filed document; a test changes it. */
let onFiled: (fax: FiledFax) => void = () => undefined;
let seen: string[] = [];
let process: SettingsProcess;
let documents: Documents;
let room: InboundRoom;

beforeAll(async () => {
  process = await startSettings({ environment: { INBOUND_ENABLED: 'true' } });
  documents = createDocuments();
  const { database: db, settings, folder: dataFolder } = process;
  await mkdir(join(dataFolder, 'work'), { recursive: true });
  room = createInbound({
    db,
    settings,
    dataFolder,
    documents,
    clock: CLOCK,
    queue: createQueue(db, CLOCK),
    logger: createLogger({ level: 'fatal', write: () => undefined }),
    seal: createSeal(Buffer.alloc(32, 7)),
    storage: await createLocalStorage(join(dataFolder, 'files')),
    audit: createSecurityAudit({ clock: CLOCK }),
    announcer: createAnnouncer(() => undefined),
    receivers: {},
    notifications: [],
  });
  room.whenFiled({
    onFiled: async (tx, fax) => {
      await tx.updateTable('inbound_fax').set({ problem: 'seen' }).where('id', '=', fax.id).execute();
      seen.push(fax.id);
      onFiled(fax);
    },
  });
});
afterAll(async () => {
  await documents.close();
  await process.stop();
});

const faxes = () => process.database.read.selectFrom('inbound_fax').select(['id', 'problem']).execute();

test('a higher room hears of a document in the transaction that files it, once', async () => {
  seen = [];
  const fax = await room.service.makeTest(fakeCaller(), { to_number: '+12025550100' });
  expect(seen).toEqual([fax.id]);
  expect(await faxes()).toEqual([{ id: fax.id, problem: 'seen' }]);
});

test('when the higher room fails, the document is not filed and nothing of it is left', async () => {
  const before = await faxes();
  seen = [];
  onFiled = () => {
    throw new Error('no room for an item');
  };
  await expect(room.service.makeTest(fakeCaller(), {})).rejects.toThrow('no room for an item');
  expect(seen).toHaveLength(1);
  expect(await faxes()).toEqual(before);
});
