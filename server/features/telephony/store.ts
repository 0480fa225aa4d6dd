import type { WriteTx } from '../../db/database.ts';
import type { ImageIdentity } from './types.ts';

/** The call that an image belongs to: this one, unless another one was first. */
export async function claimImage(tx: WriteTx, identity: ImageIdentity, callId: string): Promise<string> {
  await tx
    .insertInto('telephony_image')
    .values({ ...identity, call_id: callId })
    .onConflict((conflict) => conflict.columns(['device', 'inode', 'sha256']).doNothing())
    .execute();
  const { device, inode, sha256 } = identity;
  const row = await tx
    .selectFrom('telephony_image')
    .select('call_id')
    .where('device', '=', device)
    .where('inode', '=', inode)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.call_id ?? callId;
}

/** The image has gone; its inode may become another one. `callId`: only while it belongs to that call. */
export async function forgetImage(tx: WriteTx, identity: ImageIdentity, callId?: string): Promise<void> {
  const { device, inode, sha256 } = identity;
  await tx
    .deleteFrom('telephony_image')
    .where('device', '=', device)
    .where('inode', '=', inode)
    .where('sha256', '=', sha256)
    .$if(callId !== undefined, (query) => query.where('call_id', '=', callId ?? ''))
    .execute();
}
