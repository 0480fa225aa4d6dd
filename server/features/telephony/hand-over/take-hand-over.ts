import { resolve } from 'node:path';
import type { z } from 'zod';
import { type InboundHandOver, telephonyRoutes } from '../../../../shared/api/telephony.ts';
import { LINE_BACKEND } from '../../../../shared/backends.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { notificationCopy } from '../../inbound/service.ts';
import type { CheckedReport, SourcedFax } from '../../inbound/types.ts';
import { logCall } from '../calls/call-log.ts';
import { isComplete, numbersOf, receivedCall, refusedCall } from '../calls/received-call.ts';
import { badImage } from '../errors.ts';
import type { TelephonyParts } from '../parts.ts';
import type { FaxName } from '../types.ts';
import { engineSource, imageOf, lineAccountOf } from './engine-source.ts';
import { imagePathOf, openImage } from './image-file.ts';
import { faxOfImage, findFax } from './image-identity.ts';

type HandOver = z.infer<typeof InboundHandOver>;

/**
 * Records a fax that the telephone engine hands over; its image is converted in the background. The same call again is
 * the same fax, and so is the same image with another call. Throws refusals, 404 while receiving is off and 400 for an
 * image that cannot be taken; then only the call log has an entry of it.
 */
export async function takeHandOver(parts: TelephonyParts, order: HandOver): Promise<SourcedFax> {
  try {
    parts.inbound.assertOn();
    return await take(parts, order);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const callId = order.uniqueid || idOfPath(parts.dataFolder, order.tiff_path);
    const name = { account: lineAccountOf(parts.settings), callId };
    const call = refusedCall(parts.settings, order, { name, refusal: error });
    await parts.db.transaction((tx) => logCall(parts, tx, call));
    throw error;
  }
}

async function take(parts: TelephonyParts, order: HandOver): Promise<SourcedFax> {
  const imagePath = imagePathOf(parts.dataFolder, order.tiff_path);
  const named = {
    account: lineAccountOf(parts.settings),
    callId: order.uniqueid || idOfPath(parts.dataFolder, imagePath),
  };
  await using image = await openImage(parts.dataFolder, imagePath);
  const name = image === null ? named : await faxOfImage(parts, image, named);
  // The answer to the first hand-over was lost: the document is filed, and the image has gone.
  if (image === null && (await findFax(parts, name))?.status !== 'received')
    throw badImage('There is no image at that path.');
  const fax = await parts.inbound.record(reportOf(parts, order, { imagePath, name }));
  // The image of a new fax is being fetched already; the image of a filed one is gone, or is another.
  const isUnderWay = fax.status === 'waiting' && fax.failures === 0 && imageOf(fax) === imagePath;
  return image === null || isUnderWay ? fax : parts.inbound.offer(fax.id, engineSource(imagePath));
}

/** Returns an id for a call of which only the image is known: its absolute path, hashed. */
export function idOfPath(dataFolder: string, imagePath: string): string {
  return `file:${sha256Hex(resolve(dataFolder, imagePath)).slice(0, 32)}`;
}

function reportOf(
  parts: TelephonyParts,
  order: HandOver,
  { imagePath, name }: { imagePath: string; name: FaxName },
): CheckedReport {
  const { settings } = parts;
  const { from, to } = numbersOf(settings, order);
  const ended = order.call?.ended_at ?? null;
  const report = {
    providerId: name.callId,
    from,
    to: to ?? settings.ownNumber(),
    pages: order.faxpages ?? null,
    rawStatus: order.faxstatus ?? '',
    state: 'complete',
    isTest: false,
    completedAt: ended === null ? null : isoTime(epochOf(ended)),
  } as const;
  return {
    report,
    account: { backend: LINE_BACKEND, accountId: name.account },
    source: engineSource(imagePath),
    checkedBy: 'secret',
    text: `The telephone engine delivered the fax. Its secret was verified.${endOfCall(order)}`,
    notification: copyOf(order),
    hasDocument: false,
    endedEarly: !isComplete(order),
    toInferred: to === null && settings.ownNumber() !== null,
    additionalWrites: (tx, faxId) => logCall(parts, tx, receivedCall(settings, order, { name, faxId })),
  };
}

/**
 * Returns a sentence when the call broke off: the pages that came are kept, but more may be missing. Empty for a whole
 * fax.
 */
export function endOfCall(order: HandOver): string {
  return isComplete(order)
    ? ''
    : ` It reported that the call ended with ${order.faxstatus}, so pages may be missing.`;
}

export function copyOf(order: HandOver): string {
  const { path } = telephonyRoutes.telephonyInbound;
  return notificationCopy({
    url: path,
    headers: {},
    contentType: 'json',
    fields: [],
    json: order,
    files: [],
  });
}
