import { createHash } from 'node:crypto';
import { ENGINE_ACCOUNT, imageOf } from './engine-source.ts';
import type { OpenImage } from './image-file.ts';
import type { TelephonyParts } from './parts.ts';
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
 * The call that an image belongs to: the one that it was first handed over or found with, so that one image is one fax,
 * whatever call it is named with later.
 */
export async function callOfImage(parts: TelephonyParts, image: OpenImage, callId: string): Promise<string> {
  const identity = await identityOf(image);
  const claimed = await parts.db.transaction((tx) => claimImage(tx, identity, callId));
  if (claimed === callId) return callId;
  const known = (await parts.inbound.findOfAccount(ENGINE_ACCOUNT.accountId, [claimed])).get(claimed);
  // The image of that fax has gone, and its inode became another image with the same content.
  const isOver = known?.status === 'received' && imageOf(known) === null;
  if (!isOver) return claimed;
  return parts.db.transaction(async (tx) => {
    await forgetImage(tx, identity, claimed);
    return claimImage(tx, identity, callId);
  });
}
