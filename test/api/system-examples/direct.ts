import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { codeOf } from '../../../server/features/direct/partners/codes.ts';
import { signedText } from '../../../server/features/direct/wire/statement.ts';
import { createKeyedHash, hashSecretOf } from '../../../server/platform/hash.ts';
import { type FakePartner, startFakePartner } from '../../setup/fake-partner.ts';
import type { TestGateway } from '../../setup/gateway.ts';
import { DAY } from '../../setup/manual-clock.ts';
import type { Examples } from './examples.ts';

/** The card of the installation, and a partner from its card to its end. */
export async function callDirect(x: Examples): Promise<void> {
  await x.gateway.set({
    DIRECT_DELIVERY_ENABLED: true,
    DIRECT_ORGANIZATION: 'Example Clinic',
    DIRECT_FAX_NUMBER: '+12025550100',
    DIRECT_ALLOW_PRIVATE_PEERS: true,
  });
  await x.call('getDirectCard');
  await x.call('getDirectCardFile');
  const { card } = await x.call('rotateDirectKeys');
  const partner = await startFakePartner('Riverside Pharmacy', '+12025550143');
  try {
    await callPartner(x, partner, card.signing_key);
  } finally {
    await partner.close();
  }
  await x.gateway.set({ DIRECT_DELIVERY_ENABLED: false, DIRECT_ALLOW_PRIVATE_PEERS: false });
}

async function callPartner(x: Examples, partner: FakePartner, ownKey: string): Promise<void> {
  const now = x.gateway.clock.now();
  const added = await x.call('addDirectPartner', { json: { card: partner.cardText() } });
  const { id, version } = added.partner;
  await x.call('listDirectPartners');
  await x.call('sendDirectCode', { params: { id }, json: { version } });
  const code = await faxedCode(x.gateway);
  const returned = partner.sign({ ...partner.head('verification', ownKey, now), code });
  await x.call('returnDirectCode', { key: null, json: JSON.parse(signedText(returned)) });
  partner.acceptCodes(new Date(now + 365 * DAY).toISOString());
  await x.call('confirmDirectPartner', { params: { id }, json: { code: '48213 90576' } });
  const [{ version: last }] = (await x.call('listDirectPartners')).items;
  await x.call('revokeDirectPartner', { params: { id }, json: { version: last } });
  const again = await startFakePartner('Riverside Pharmacy', '+12025550143');
  try {
    await x.call('addDirectPartner', { json: { card: again.cardText() } });
    const ended = again.sign(again.head('revoked', ownKey, now));
    await x.call('takeDirectStatement', { key: null, json: JSON.parse(signedText(ended)) });
  } finally {
    await again.close();
  }
}

/** The code that the only challenge has, which nothing but the data key and its id give. */
async function faxedCode({ dataFolder }: TestGateway): Promise<string> {
  const store = new BetterSqlite(join(dataFolder, 'faxdesk.sqlite'), { readonly: true });
  try {
    const { code_id } = store.prepare('SELECT code_id FROM direct_partner').get() as { code_id: string };
    const key = Buffer.from((await readFile(join(dataFolder, 'data.key'), 'utf8')).trim(), 'base64');
    return codeOf({ hashCode: createKeyedHash(hashSecretOf(key), 'codes of partners') }, code_id);
  } finally {
    store.close();
  }
}
