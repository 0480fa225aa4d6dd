import { expect, test } from 'vitest';
import { startS3Server } from '../setup/s3-server.ts';
import { ArchivingOffice } from './archives-removal-setup.ts';
import { InboundGateway } from './inbound-setup.ts';

test('rule (archives): no archive is made while a document cannot be read, such as from a bucket that fails', async () => {
  const s3 = await startS3Server();
  const settings = { ...s3.settings(), INBOUND_RETENTION_DAYS: '0', ARTIFACT_TTL_DAYS: '0' };
  const place = new ArchivingOffice(await InboundGateway.start({ settings, bucketPatienceMs: 300 }));
  try {
    const { year } = place;
    await place.receive();
    place.pass();
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
