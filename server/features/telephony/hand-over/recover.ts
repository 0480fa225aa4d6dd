import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { InboundRecovery } from '../../../../shared/api/telephony.ts';
import { LINE_BACKEND } from '../../../../shared/backends.ts';
import { type Schedule, schedule } from '../../../jobs/schedule.ts';
import { isoTime } from '../../../platform/clock.ts';
import { errorCode, RefusalError } from '../../../platform/errors.ts';
import type { Actor } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import type { SourcedFax } from '../../inbound/types.ts';
import { logCall } from '../calls/call-log.ts';
import { recoveredCall } from '../calls/received-call.ts';
import { TelephonyRefusalError } from '../errors.ts';
import type { TelephonyParts } from '../parts.ts';
import type { FaxName } from '../types.ts';
import { engineSource, imageOf, lineAccountOf } from './engine-source.ts';
import { IMAGE_FOLDER, openImage } from './image-file.ts';
import { faxOfImage, findFax, isSame } from './image-identity.ts';
import { leftoverCall } from './leftover-call.ts';
import { removeOldNotes } from './note.ts';
import type { HandOverParts } from './parts.ts';
import { copyOf, endOfCall, idOfPath } from './take-hand-over.ts';
import type { FailedCall } from './types.ts';

const MINUTE_MS = 60_000;
/** The engine writes to an image while the call goes on. */
const QUIET_MS = 10 * MINUTE_MS;

interface LeftoverImage {
  /** The file's name without its extension. */
  readonly callId: string;
  readonly imagePath: string;
  readonly modifiedMs: number;
}

interface FoundImage extends LeftoverImage {
  /** Null where there is neither note nor entry of the call. */
  readonly call: FailedCall | null;
}

/** Brings in the images that were never handed over, every minute while receiving is on. */
export function defineRecovery(parts: HandOverParts): Schedule {
  const { db, queue, clock, settings } = parts;
  return schedule({
    kind: 'inbound.recover',
    everyMs: () => (settings.receives() ? MINUTE_MS : 0),
    async run() {
      // Records could not be sealed.
      if (parts.seal.problem === null) await recoverImages(parts, { atOnce: false });
    },
    db,
    queue,
    clock,
  });
}

/**
 * Makes a fax of every image without one, once its call has ended or it has not been written to for ten minutes, or at
 * once. Offers an image to its existing fax again where that may help. Returns the number of images and how their faxes
 * stand.
 */
async function recoverImages(
  parts: HandOverParts,
  { atOnce }: { atOnce: boolean },
): Promise<z.infer<typeof InboundRecovery>> {
  const now = parts.clock.now();
  const latest = atOnce ? Number.POSITIVE_INFINITY : now - QUIET_MS;
  const found = await listLeftoverImages(parts.dataFolder);
  const faxes: SourcedFax[] = [];
  for (const image of found) {
    const call = await leftoverCall(parts, image);
    if (call === null && image.modifiedMs > latest) continue;
    if (call?.failure) parts.problems.recordFailure(call.failure);
    const fax = await recoverOne(parts, { ...image, call }, atOnce).catch(nullWhenRemoved);
    if (fax !== null) faxes.push(fax);
  }
  await removeOldNotes(parts.dataFolder, now);
  const received = faxes.filter(({ status }) => status === 'received').length;
  return { found: faxes.length, received, waiting: faxes.length - received };
}

/** A fax that was removed with an archive leaves its image alone. */
function nullWhenRemoved(error: unknown): null {
  if (error instanceof RefusalError && error.refusalCode === 'fax_removed') return null;
  throw error;
}

async function recoverOne(parts: TelephonyParts, image: FoundImage, atOnce: boolean): Promise<SourcedFax> {
  const known = await faxOf(parts, image);
  if (known === undefined) return recordUnknown(parts, image);
  return known.status === 'received' || atOnce
    ? parts.inbound.offer(known.id, engineSource(image.imagePath))
    : known;
}

/** Returns the fax that has the image: by its call, or by the path that was handed over, over any trunk. */
async function faxOf(
  parts: TelephonyParts,
  { callId, imagePath }: LeftoverImage,
): Promise<SourcedFax | undefined> {
  const { inbound, dataFolder, settings } = parts;
  const ids = [callId, idOfPath(dataFolder, imagePath)];
  const known = await inbound.findOfAccount(lineAccountOf(settings), ids);
  const named = ids.map((id) => known.get(id)).find((fax) => fax !== undefined);
  if (named !== undefined) return named;
  const faxes = await inbound.listWithSource(LINE_BACKEND);
  return faxes.find((fax) => imageOf(fax) === imagePath);
}

/**
 * Records an image without a fax of its name. An image that was moved or linked, and belongs to a fax under another
 * name, is offered to that fax.
 */
async function recordUnknown(parts: TelephonyParts, image: FoundImage): Promise<SourcedFax> {
  const named = { account: lineAccountOf(parts.settings), callId: image.callId };
  const name = await ownFax(parts, image, named);
  const fax = isSame(name, named) ? undefined : await findFax(parts, name);
  return fax ? parts.inbound.offer(fax.id, engineSource(image.imagePath)) : recordImage(parts, image, name);
}

/**
 * Returns the name of the fax that the image belongs to. A file that cannot be opened as an image yet keeps its own
 * name; taking it reports the problem.
 */
async function ownFax(parts: TelephonyParts, { imagePath }: LeftoverImage, named: FaxName): Promise<FaxName> {
  try {
    await using image = await openImage(parts.dataFolder, imagePath);
    return image === null ? named : await faxOfImage(parts, image, named);
  } catch (error) {
    if (error instanceof TelephonyRefusalError) return named;
    throw error;
  }
}

async function recordImage(
  parts: TelephonyParts,
  { imagePath, modifiedMs, call }: FoundImage,
  name: FaxName,
): Promise<SourcedFax> {
  const ownNumber = parts.settings.ownNumber();
  const order = call?.order ?? null;
  const fax = await parts.inbound.record({
    report: {
      providerId: name.callId,
      from: call?.from ?? null,
      to: call?.to ?? ownNumber,
      pages: order?.faxpages ?? null,
      rawStatus: order?.faxstatus ?? '',
      state: 'complete',
      isTest: false,
      completedAt: isoTime(modifiedMs),
    },
    account: { backend: LINE_BACKEND, accountId: name.account },
    source: engineSource(imagePath),
    checkedBy: 'image',
    text: foundText(call),
    recovered: true,
    notification: order && copyOf(order),
    hasDocument: false,
    toInferred: (call?.to ?? null) === null && ownNumber !== null,
    additionalWrites: (tx, faxId) => logCall(parts, tx, recoveredCall(parts.settings, call, { name, faxId })),
  });
  const facts = { fax_id: fax.id, call_id: name.callId };
  parts.logger.info(facts, 'an image that was not handed over was brought in');
  return fax;
}

function foundText(call: FailedCall | null): string {
  if (call === null) return 'The telephone engine left an image that it had not reported.';
  const noted =
    call.order === null ? '' : ` Asterisk’s note about the call was beside it.${endOfCall(call.order)}`;
  return `${call.sentence} Faxdesk found its image.${noted}`;
}

/** Brings the images in now, at the request of a person. */
export async function recoverNow(
  parts: HandOverParts,
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

/** Lists the regular files in the folder that are named as images, without links and folders. */
async function listLeftoverImages(dataFolder: string): Promise<LeftoverImage[]> {
  const folder = join(dataFolder, IMAGE_FOLDER);
  const images: LeftoverImage[] = [];
  for (const name of await namesIn(folder)) {
    const [, callId] = /^([^.].*)\.tiff?$/iu.exec(name) ?? [];
    const found = callId === undefined ? null : await lstatOf(join(folder, name));
    if (callId === undefined || !found?.isFile()) continue;
    images.push({ callId, imagePath: `${IMAGE_FOLDER}/${name}`, modifiedMs: Math.floor(found.mtimeMs) });
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
