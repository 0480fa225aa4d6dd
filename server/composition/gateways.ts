import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import { openAnnouncements } from '../db/announcements.ts';
import type { Database } from '../db/database.ts';
import { createMembership, type Membership, type OwnGateway, WORKS_WITH } from '../features/gateways/room.ts';
import { type Announcements, NO_ANNOUNCEMENTS } from '../platform/announcements.ts';
import type { Clock } from '../platform/clock.ts';
import type { Closing } from '../platform/closing.ts';
import { writeDurably } from '../platform/durable-file.ts';
import { errorCode } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';

/** The id of a gateway, in its data folder, which is locked: another start with the id proves that the one before has ended. */
const ID_FILE = 'gateway.id';

/** Returns this gateway as the others on its database see it, with the id of its data folder, which is made once. */
export async function identifyGateway({
  dataFolder,
  databaseUrl,
  port,
  severalGateways = false,
}: BootOptions): Promise<OwnGateway> {
  return {
    id: databaseUrl === null ? 'alone' : await idOf(join(dataFolder, ID_FILE)),
    run: newId(),
    name: `${hostname()}:${port}`,
    release: RELEASE,
    works_with: WORKS_WITH,
    several: severalGateways ? 1 : 0,
  };
}

async function idOf(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  });
  if (/^[0-9a-f-]{36}\s*$/u.test(known)) return known.trim();
  const id = newId();
  await writeDurably(path, `${id}\n`);
  return id;
}

/** Keeps this gateway in the table of those on its database until the stop; null where the database is that of one process. */
export function takePart(
  { db, own }: { db: Database; own: OwnGateway },
  { clock, logger, closing }: { clock: Clock; logger: Logger; closing: Closing },
): Membership | null {
  if (db.capabilities.soleProcess) return null;
  const membership = createMembership({ db, own, clock, logger: logger.room('gateways') });
  closing.add('sign of life', () => membership.leave());
  return membership;
}

/** Connects this gateway with the others on its database until the stop; with none where it works alone. */
export function announceToOthers(
  { databaseUrl, severalGateways = false }: BootOptions,
  { own, logger, closing }: { own: OwnGateway; logger: Logger; closing: Closing },
): Announcements {
  if (databaseUrl === null || !severalGateways) return NO_ANNOUNCEMENTS;
  const announcements = openAnnouncements({
    url: databaseUrl,
    run: own.run,
    logger: logger.room('gateways'),
  });
  closing.add('announcements', () => announcements.close());
  return announcements;
}
