import { join } from 'node:path';
import { createLocalStorage } from './adapters/storage/local.ts';
import type { BootOptions } from './config/boot.ts';
import type { Database } from './db/database.ts';
import { createDocuments, type StartDocumentProcess } from './documents/documents.ts';
import type { InboundEvents } from './features/inbound/room.ts';
import type { FaxEvents } from './features/outbound/room.ts';
import type { createRouting } from './features/routing/room.ts';
import type { Settings } from './features/settings/room.ts';
import type { WorkEvents } from './features/work/room.ts';
import { createQueue } from './jobs/queue.ts';
import type { Clock } from './platform/clock.ts';
import { createAnnouncer } from './platform/events.ts';
import type { Logger } from './platform/logger.ts';
import { makeFolder } from './platform/make-folder.ts';
import type { FileSealer } from './platform/sealed-file.ts';

/** Creates the tools that the rooms of outgoing and received faxes share. */
export async function createFaxTools(
  {
    boot,
    db,
    clock,
    startDocumentProcess,
  }: { boot: BootOptions; db: Database; clock: Clock; startDocumentProcess?: StartDocumentProcess },
  base: {
    common: { settings: Settings; logger: Logger };
    routing: Pick<ReturnType<typeof createRouting>, 'reportProblems'>;
    files: FileSealer;
  },
) {
  const { common, routing, files } = base;
  const announcer = createAnnouncer<FaxEvents & InboundEvents & WorkEvents>((error) =>
    common.logger.error({ error }, 'a listener failed'),
  );
  const storage = await createLocalStorage(join(boot.dataFolder, 'files'), {
    sealer: files,
    isOn: () => common.settings.get('ENCRYPT_DOCUMENTS'),
  });
  return {
    queue: createQueue(db, clock),
    documents: createDocuments({
      folders: await documentFolders(boot.dataFolder),
      logger: common.logger.room('documents'),
      ...(startDocumentProcess ? { start: startDocumentProcess } : {}),
    }),
    storage,
    announcer,
    reportProblems: routing.reportProblems,
  };
}

/** Returns the folders of documents, in work and stored: the only ones that their process can access. */
async function documentFolders(dataFolder: string): Promise<string[]> {
  const folders = [join(dataFolder, 'work'), join(dataFolder, 'files')];
  for (const folder of folders) await makeFolder(folder);
  return folders;
}
