import { expect, test } from 'vitest';
import { finishReplacement, keyState, keysIn, leftBehind, replaceKey } from '../setup/data-keys.ts';
import { ArchivingOffice } from './archives-removal-setup.ts';
import { InboundGateway } from './inbound-setup.ts';

test('rule (data-key): faxes match the archive that was made before the data key was replaced, and are removed', async () => {
  const office = new ArchivingOffice(await InboundGateway.start({}));
  try {
    const { gateway, year } = office;
    await gateway.set({ INBOUND_RETENTION_DAYS: 0, ARTIFACT_TTL_DAYS: 0 });
    const received = await office.receive();
    const sent = await office.send();
    await office.pass();
    const bytes = await office.archive(year);
    expect((await replaceKey(gateway)).status).toBe(202);
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toBeNull();

    const checked = await office.check(bytes, year);
    expect(checked).toMatchObject({ state: 'ready', waiting: 2, staying: [], gone: 0, problem: null });
    expect((await replaceKey(gateway)).status).toBe(202);
    await office.start(checked);
    await finishReplacement(gateway);
    expect(await office.removal(checked.id)).toMatchObject({
      state: 'done',
      removed: { sent: 1, received: 1 },
    });
    expect(await office.status('GET', `/fax/${sent}`)).toEqual([404, 'fax_archived']);
    expect((await office.status('GET', `/inbound/${received}`))[0]).toBe(404);
    expect((await keyState(gateway)).replacement).toBeNull();
    expect(await leftBehind(gateway.dataFolder, await keysIn(gateway.dataFolder))).toEqual([]);
  } finally {
    await office.gateway.close();
  }
});
