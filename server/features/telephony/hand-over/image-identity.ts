import { createHash } from 'node:crypto';
import type { SourcedFax } from '../../inbound/types.ts';
import type { TelephonyParts } from '../parts.ts';
import type { FaxName } from '../types.ts';
import { imageOf } from './engine-source.ts';
import type { OpenImage } from './image-file.ts';
import { claimImage, forgetImage } from './store.ts';
import type { ImageIdentity } from './types.ts';

/** Reads the whole image. */
export async function identityOf({ file }: Pick<OpenImage, 'file'>): Promise<ImageIdentity> {
  const { dev, ino } = await file.stat({ bigint: true });
  const hash = createHash('sha256');
  const content = file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
  for await (const chunk of content) hash.update(chunk);
  return { device: String(dev), inode: String(ino), sha256: hash.digest('hex') };
}

/**
 * Returns the fax that an image belongs to: the one that it was first handed over or found with. One image is one fax,
 * whatever call it is named with later and whatever trunk is set by then.
 */
export async function faxOfImage(parts: TelephonyParts, image: OpenImage, fax: FaxName): Promise<FaxName> {
  const identity = await identityOf(image);
  const claimed = await parts.db.transaction((tx) => claimImage(tx, identity, fax));
  if (isSame(claimed, fax)) return fax;
  const known = await findFax(parts, claimed);
  // The image of that fax has gone, and its inode became another image with the same content.
  const isOver = known?.status === 'received' && imageOf(known) === null;
  if (!isOver) return claimed;
  return parts.db.transaction(async (tx) => {
    await forgetImage(tx, identity, claimed);
    return claimImage(tx, identity, fax);
  });
}

export const isSame = (a: FaxName, b: FaxName): boolean => a.account === b.account && a.callId === b.callId;

/** Finds the fax with that name; undefined for none. */
export async function findFax(
  { inbound }: Pick<TelephonyParts, 'inbound'>,
  { account, callId }: FaxName,
): Promise<SourcedFax | undefined> {
  return (await inbound.findOfAccount(account, [callId])).get(callId);
}
