import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { InboundRecovery } from '../../../shared/api/telephony.ts';
import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import { errorCode } from '../../platform/errors.ts';
import type { Actor } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import type { SourcedFax } from '../inbound/types.ts';
import { logCall } from './calls/call-log.ts';
import { recoveredCall } from './calls/received-call.ts';
import { ENGINE_ACCOUNT, engineSource, imageOf } from './engine-source.ts';
import { TelephonyRefusalError } from './errors.ts';
import { idOfPlace } from './hand-over.ts';
import { IMAGE_FOLDER, openImage } from './image-file.ts';
import { callOfImage } from './image-identity.ts';
import type { TelephonyParts } from './parts.ts';

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
export function defineRecovery(parts: TelephonyParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'inbound.recover',
    everyMs: () => (settings.receives() ? MINUTE_MS : 0),
    async run() {
      // What would be recorded could not be sealed.
      if (parts.seal.problem === null) await recoverImages(parts, { atOnce: false });
    },
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
  parts: TelephonyParts,
  { atOnce }: { atOnce: boolean },
): Promise<z.infer<typeof InboundRecovery>> {
  const latest = atOnce ? Number.POSITIVE_INFINITY : parts.clock.now() - QUIET_MS;
  const images = (await imagesLeft(parts.dataFolder)).filter(({ modifiedMs }) => modifiedMs <= latest);
  const faxes: SourcedFax[] = [];
  for (const image of images) faxes.push(await recoverOne(parts, image, atOnce));
  const received = faxes.filter(({ status }) => status === 'received').length;
  return { found: images.length, received, waiting: images.length - received };
}

async function recoverOne(parts: TelephonyParts, image: LeftImage, atOnce: boolean): Promise<SourcedFax> {
  const known = await faxOf(parts, image);
  if (known === undefined) return recordUnknown(parts, image);
  return known.status === 'received' || atOnce
    ? parts.inbound.offer(known.id, engineSource(image.place))
    : known;
}

/** The fax that has the image: by its call, or by the path that was handed over. */
async function faxOf(parts: TelephonyParts, { callId, place }: LeftImage): Promise<SourcedFax | undefined> {
  const { inbound, dataFolder } = parts;
  const ids = [callId, idOfPlace(dataFolder, place)];
  const known = await inbound.findOfAccount(ENGINE_ACCOUNT.accountId, ids);
  const named = ids.map((id) => known.get(id)).find((fax) => fax !== undefined);
  if (named !== undefined) return named;
  const faxes = await inbound.listWithSource(ENGINE_ACCOUNT.accountId);
  return faxes.find((fax) => imageOf(fax) === place);
}

/** An image that a fax is known by under another name, because it was moved or linked, is offered to that fax. */
async function recordUnknown(parts: TelephonyParts, image: LeftImage): Promise<SourcedFax> {
  const callId = await ownCall(parts, image);
  const known = await parts.inbound.findOfAccount(ENGINE_ACCOUNT.accountId, [callId]);
  const fax = callId === image.callId ? undefined : known.get(callId);
  return fax
    ? parts.inbound.offer(fax.id, engineSource(image.place))
    : recordImage(parts, { ...image, callId });
}

/** What cannot be opened as an image yet keeps the name of its file; taking it says what is wrong. */
async function ownCall(parts: TelephonyParts, { callId, place }: LeftImage): Promise<string> {
  try {
    await using image = await openImage(parts.dataFolder, place);
    return image === null ? callId : await callOfImage(parts, image, callId);
  } catch (error) {
    if (error instanceof TelephonyRefusalError) return callId;
    throw error;
  }
}

async function recordImage(
  parts: TelephonyParts,
  { callId, place, modifiedMs }: LeftImage,
): Promise<SourcedFax> {
  const to = parts.settings.ownNumber();
  const fax = await parts.inbound.record({
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
    account: ENGINE_ACCOUNT,
    source: engineSource(place),
    checkedBy: 'image',
    text: 'The telephone engine left an image that it had not reported.',
    recovered: true,
    notification: null,
    hasDocument: false,
    toInferred: to !== null,
    alongside: (tx, faxId) => logCall(parts, tx, recoveredCall(parts.settings, { callId, faxId })),
  });
  parts.logger.info({ fax_id: fax.id, call_id: callId }, 'an image that was not handed over was brought in');
  return fax;
}

/** A person wants the images brought in now. */
export async function recoverNow(
  parts: TelephonyParts,
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
