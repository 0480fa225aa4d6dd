import { startS3Server } from '../../setup/s3-server.ts';
import type { Examples } from './examples.ts';

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
