import { expect, test } from 'vitest';
import { HOUR } from '../setup/manual-clock.ts';
import { startS3Server } from '../setup/s3-server.ts';
import { ArchivingOffice } from './archives-removal-setup.ts';
import { InboundGateway } from './inbound-setup.ts';

test('rule (archives): no archive is made while a document cannot be read, such as from a bucket that fails', async () => {
  const s3 = await startS3Server();
  const settings = { ...s3.settings(), INBOUND_RETENTION_DAYS: '0', ARTIFACT_TTL_DAYS: '0' };
  const place = new ArchivingOffice(await InboundGateway.start({ settings, bucketPatienceMs: 5_000 }));
  try {
    const { year } = place;
    await place.receive();
    await place.pass();
    // Without the copy that was kept when it came.
    await place.restart();
    s3.fail('broken');
    const broken = place.gateway
      .request('GET', `/archives/${year}`)
      .then(async (answer) => [answer.status, (await answer.arrayBuffer()).byteLength > 0]);
    await expect(broken).rejects.toThrow();
    s3.clear();
    expect((await place.archive(year)).length).toBeGreaterThan(1_000);
  } finally {
    await place.gateway.close();
    await s3.close();
  }
});

test('rule (archives): a removal whose documents cannot be deleted continues when the bucket is back, and leaves no document', async () => {
  const s3 = await startS3Server();
  const settings = { ...s3.settings(), INBOUND_RETENTION_DAYS: '0', ARTIFACT_TTL_DAYS: '0' };
  const place = new ArchivingOffice(await InboundGateway.start({ settings, bucketPatienceMs: 5_000 }));
  const documents = () => s3.keys().filter((key) => key.endsWith('.pdf'));
  try {
    const { year } = place;
    await place.receive();
    await place.send();
    await place.pass();
    const checked = await place.check(await place.archive(year), year);
    await place.start(checked);
    s3.fail('broken');
    await place.gateway.processAll();
    expect(documents()).toHaveLength(2);
    s3.clear();
    place.gateway.clock.advance(HOUR);
    await place.gateway.processAll();
    expect(await place.removal(checked.id)).toMatchObject({
      state: 'done',
      removed: { sent: 1, received: 1 },
    });
    await place.restart();
    await place.gateway.processAll();
    await expect.poll(documents).toEqual([]);
  } finally {
    await place.gateway.close();
    await s3.close();
  }
});
