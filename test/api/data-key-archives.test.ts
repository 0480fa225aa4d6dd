import { expect, test } from 'vitest';
import { finishReplacement, keyState, keysIn, leftBehind, replaceKey } from '../setup/data-keys.ts';
import { ArchivingOffice } from './archives-removal-setup.ts';
import { InboundGateway } from './inbound-setup.ts';

test('rule (data-key): the faxes of an archive of before a replacement of the data key are unchanged and leave', async () => {
  const place = new ArchivingOffice(await InboundGateway.start({}));
  try {
    const { gateway, year } = place;
    await gateway.set({ INBOUND_RETENTION_DAYS: 0, ARTIFACT_TTL_DAYS: 0 });
    const received = await place.receive();
    const sent = await place.send();
    await place.pass();
    const bytes = await place.archive(year);
    expect((await replaceKey(gateway)).status).toBe(202);
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toBeNull();

    const checked = await place.check(bytes, year);
    expect(checked).toMatchObject({ state: 'ready', waiting: 2, staying: [], gone: 0, problem: null });
    expect((await replaceKey(gateway)).status).toBe(202);
    await place.start(checked);
    await finishReplacement(gateway);
    expect(await place.removal(checked.id)).toMatchObject({
      state: 'done',
      removed: { sent: 1, received: 1 },
    });
    expect(await place.status('GET', `/fax/${sent}`)).toEqual([404, 'fax_archived']);
    expect((await place.status('GET', `/inbound/${received}`))[0]).toBe(404);
    expect((await keyState(gateway)).replacement).toBeNull();
    expect(await leftBehind(gateway.dataFolder, await keysIn(gateway.dataFolder))).toEqual([]);
  } finally {
    await place.gateway.close();
  }
});
