import { MINUTE } from '../../setup/manual-clock.ts';
import { startS3Server } from '../../setup/s3-server.ts';
import type { Examples } from './examples.ts';

/** The data key, after everything that other examples left sealed: the replacement has to come to its end. */
export async function callDataKey(x: Examples): Promise<void> {
  await x.call('replaceDataKey', { json: {} });
  for (let pass = 0; pass < 4; pass += 1) {
    await x.gateway.processAll();
    x.gateway.clock.advance(MINUTE);
  }
  const answer = await x.gateway.request('GET', '/console/data-key');
  const { replacement } = (await answer.json()) as { replacement: unknown };
  if (replacement !== null) throw new Error(`the data key was not replaced: ${JSON.stringify(replacement)}`);
  await x.call('readDataKey');
}

/** The storage of documents, with a bucket for a moment. */
export async function callStorage(x: Examples): Promise<void> {
  const s3 = await startS3Server();
  try {
    await x.gateway.set({
      S3_BUCKET: 'faxes',
      S3_PREFIX: 'office',
      S3_ENDPOINT_URL: s3.url,
      S3_PATH_STYLE: true,
      AWS_ACCESS_KEY_ID: 'test-key',
      AWS_SECRET_ACCESS_KEY: 'test-secret',
    });
    await x.call('setStorageOwner');
    await x.call('checkStorage', { json: {} });
    await x.call('readStorage');
    await x.call('moveStorage', { json: {} });
    await x.gateway.set({ S3_BUCKET: null });
  } finally {
    await s3.close();
  }
}
