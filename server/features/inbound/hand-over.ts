import { resolve } from 'node:path';
import type { z } from 'zod';
import { inboundRoutes } from '../../../shared/api/inbound.ts';
import type { InboundHandOver } from '../../../shared/api/inbound-shapes.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { toE164 } from '../../platform/phone-number.ts';
import { imageOf } from './captured-account.ts';
import type { CheckedReport } from './checked-report.ts';
import { ENGINE_ACCOUNT, engineSource, offerImage } from './engine-fax.ts';
import { badImage } from './errors.ts';
import { notificationCopy } from './evidence.ts';
import { openImage, placeOfImage } from './image-file.ts';
import type { InboundParts } from './parts.ts';
import { record } from './record.ts';
import { findOfProvider } from './store/fax-store.ts';
import type { FaxRow } from './types.ts';

type HandOver = z.infer<typeof InboundHandOver>;

/**
 * The telephone engine hands a fax over: it is recorded, and its image is converted in the background. The same call again
 * is the same fax. Throws 400 refusals for an image that cannot be taken; then nothing is recorded.
 */
export async function takeHandOver(parts: InboundParts, order: HandOver): Promise<FaxRow> {
  const place = placeOfImage(parts.dataFolder, order.tiff_path);
  const callId = order.uniqueid || idOfPlace(parts.dataFolder, place);
  const image = await openImage(parts.dataFolder, place);
  await image?.file.close();
  if (image === null && !(await isReceived(parts, callId))) throw badImage('There is no image at that path.');
  const row = await record(parts, toldBy(parts, order, { place, callId }));
  // A new fax has it looked at already; the image of a filed one is gone, or is another.
  const isUnderWay = row.status === 'waiting' && row.failures === 0 && imageOf(parts, row) === place;
  return image === null || isUnderWay ? row : offerImage(parts, row.id, place);
}

/** What names a call of which only the image is known: its absolute path, hashed. */
export function idOfPlace(dataFolder: string, place: string): string {
  return `file:${sha256Hex(resolve(dataFolder, place)).slice(0, 32)}`;
}

/** The answer to the first hand-over was lost: the document is filed, and the image has gone. */
async function isReceived(parts: InboundParts, callId: string): Promise<boolean> {
  const known = await findOfProvider(parts.db.read, ENGINE_ACCOUNT, [callId]);
  return known.get(callId)?.status === 'received';
}

function toldBy(
  parts: InboundParts,
  order: HandOver,
  { place, callId }: { place: string; callId: string },
): CheckedReport {
  const { settings } = parts;
  const numberOf = (text: string | null | undefined) => (text ? toE164(text, settings.country()) : null);
  const to = numberOf(order.to_number) ?? numberOf(order.call?.did);
  const ended = order.call?.ended_at ?? null;
  const report = {
    providerId: callId,
    from: numberOf(order.from_number) ?? numberOf(order.call?.caller),
    to: to ?? settings.ownNumber(),
    pages: order.faxpages ?? null,
    rawStatus: order.faxstatus ?? '',
    state: 'complete',
    isTest: false,
    completedAt: ended === null ? null : isoTime(epochOf(ended)),
  } as const;
  return {
    report,
    account: engineSource(place),
    checkedBy: 'secret',
    notification: copyOf(order),
    hasDocument: false,
    toInferred: to === null && settings.ownNumber() !== null,
  };
}

function copyOf(order: HandOver): string {
  const { path } = inboundRoutes.telephonyInbound;
  return notificationCopy({
    url: path,
    headers: {},
    contentType: 'json',
    fields: [],
    json: order,
    files: [],
  });
}
