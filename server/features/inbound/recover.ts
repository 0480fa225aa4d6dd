import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { InboundRecovery } from '../../../shared/api/inbound-shapes.ts';
import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import { errorCode } from '../../platform/errors.ts';
import type { Actor } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { imageOf } from './captured-account.ts';
import { ENGINE_ACCOUNT, engineSource, offerImage } from './engine-fax.ts';
import { idOfPlace } from './hand-over.ts';
import { IMAGE_FOLDER } from './image-file.ts';
import type { InboundParts } from './parts.ts';
import { record } from './record.ts';
import { findOfProvider, listWithSource } from './store/fax-store.ts';
import type { FaxRow } from './types.ts';

const MINUTE_MS = 60_000;
/** The engine writes to an image while the call goes on. */
const QUIET_MS = 10 * MINUTE_MS;

interface LeftImage {
  /** The file's name without its extension. */
  readonly callId: string;
  readonly place: string;
  readonly modifiedMs: number;
}

/** Every minute while receiving is on: brings in the images that were never handed over. */
export function defineRecovery(parts: InboundParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'inbound.recover',
    everyMs: () => (settings.enabled() ? MINUTE_MS : 0),
    run: async () => void (await recoverImages(parts, { atOnce: false })),
    db,
    queue,
    clock,
  });
}

/**
 * Makes a fax of every image without one, once nobody has written to it for ten minutes or at once; an image of a fax that
 * is known is looked at again where that may help. Says how many images there were and how their faxes stand.
 */
async function recoverImages(
  parts: InboundParts,
  { atOnce }: { atOnce: boolean },
): Promise<z.infer<typeof InboundRecovery>> {
  const latest = atOnce ? Number.POSITIVE_INFINITY : parts.clock.now() - QUIET_MS;
  const images = (await imagesLeft(parts.dataFolder)).filter(({ modifiedMs }) => modifiedMs <= latest);
  const faxes: FaxRow[] = [];
  for (const image of images) faxes.push(await recoverOne(parts, image, atOnce));
  const received = faxes.filter(({ status }) => status === 'received').length;
  return { found: images.length, received, waiting: images.length - received };
}

async function recoverOne(parts: InboundParts, image: LeftImage, atOnce: boolean): Promise<FaxRow> {
  const known = await faxOf(parts, image);
  if (known === undefined) return recordImage(parts, image);
  return known.status === 'received' || atOnce ? offerImage(parts, known.id, image.place) : known;
}

/** The fax that has the image: by its call, or by the path that was handed over. */
async function faxOf(parts: InboundParts, { callId, place }: LeftImage): Promise<FaxRow | undefined> {
  const ids = [callId, idOfPlace(parts.dataFolder, place)];
  const known = await findOfProvider(parts.db.read, ENGINE_ACCOUNT, ids);
  const named = ids.map((id) => known.get(id)).find((row) => row !== undefined);
  if (named !== undefined) return named;
  const rows = await listWithSource(parts.db.read, ENGINE_ACCOUNT);
  return rows.find((row) => imageOf(parts, row) === place);
}

async function recordImage(parts: InboundParts, { callId, place, modifiedMs }: LeftImage): Promise<FaxRow> {
  const to = parts.settings.ownNumber();
  const row = await record(parts, {
    report: {
      providerId: callId,
      from: null,
      to,
      pages: null,
      rawStatus: '',
      state: 'complete',
      isTest: false,
      completedAt: isoTime(modifiedMs),
    },
    account: engineSource(place),
    checkedBy: 'image',
    notification: null,
    hasDocument: false,
    toInferred: to !== null,
  });
  parts.logger.info({ fax_id: row.id, call_id: callId }, 'an image that was not handed over was brought in');
  return row;
}

/** A person wants the images brought in now. */
export async function recoverNow(
  parts: InboundParts,
  actor: Actor,
): Promise<z.infer<typeof InboundRecovery>> {
  const counts = await recoverImages(parts, { atOnce: true });
  await parts.db.transaction((tx) =>
    parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'inbound.recover',
      target: { kind: 'installation', id: null },
      outcome: 'done',
      details: counts,
    }),
  );
  return counts;
}

/** The regular files of the folder itself that are named as images; links and folders are none. */
async function imagesLeft(dataFolder: string): Promise<LeftImage[]> {
  const folder = join(dataFolder, IMAGE_FOLDER);
  const images: LeftImage[] = [];
  for (const name of await namesIn(folder)) {
    const [, callId] = /^([^.].*)\.tiff?$/iu.exec(name) ?? [];
    const found = callId === undefined ? null : await lstatOf(join(folder, name));
    if (callId === undefined || !found?.isFile()) continue;
    images.push({ callId, place: `${IMAGE_FOLDER}/${name}`, modifiedMs: Math.floor(found.mtimeMs) });
  }
  return images;
}

async function namesIn(folder: string): Promise<string[]> {
  const found = await lstatOf(folder);
  return found?.isDirectory() ? (await readdir(folder)).sort() : [];
}

async function lstatOf(path: string) {
  return lstat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
}
