import type { WriteTx } from '../../../db/database.ts';
import type { FaxName } from '../types.ts';
import type { ImageIdentity } from './types.ts';

/** Claims an image for a fax. Returns the fax it belongs to: this one, unless another one was first. */
export async function claimImage(tx: WriteTx, identity: ImageIdentity, fax: FaxName): Promise<FaxName> {
  await tx
    .insertInto('telephony_image')
    .values({ ...identity, account: fax.account, call_id: fax.callId })
    .onConflict((conflict) => conflict.columns(['device', 'inode', 'sha256']).doNothing())
    .execute();
  const { device, inode, sha256 } = identity;
  const row = await tx
    .selectFrom('telephony_image')
    .select(['account', 'call_id'])
    .where('device', '=', device)
    .where('inode', '=', inode)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row ? { account: row.account, callId: row.call_id } : fax;
}

/** Removes an image that is gone, since its inode may be reused. With `fax`, only while it belongs to that fax. */
export async function forgetImage(tx: WriteTx, identity: ImageIdentity, fax?: FaxName): Promise<void> {
  const { device, inode, sha256 } = identity;
  await tx
    .deleteFrom('telephony_image')
    .where('device', '=', device)
    .where('inode', '=', inode)
    .where('sha256', '=', sha256)
    .$if(fax !== undefined, (query) =>
      query.where('account', '=', fax?.account ?? '').where('call_id', '=', fax?.callId ?? ''),
    )
    .execute();
}
