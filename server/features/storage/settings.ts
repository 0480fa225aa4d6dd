import type { BucketSettings } from '../../adapters/storage/bucket-port.ts';
import type { SettingsService } from '../settings/service.ts';

/** The settings as the documents' storage reads them: values in force now. */
export function bucketSettings(settings: SettingsService): BucketSettings {
  return {
    isOn: () => settings.get('STORAGE_BACKEND') === 's3',
    place() {
      const bucket = settings.get('S3_BUCKET');
      if (bucket === null) return null;
      const accessKeyId = settings.get('AWS_ACCESS_KEY_ID');
      const secretAccessKey = settings.get('AWS_SECRET_ACCESS_KEY');
      return {
        bucket,
        prefix: prefixOf(settings.get('S3_PREFIX')),
        region: settings.get('S3_REGION'),
        endpoint: settings.get('S3_ENDPOINT_URL'),
        kmsKeyId: settings.get('S3_KMS_KEY_ID'),
        isPathStyle: settings.get('S3_PATH_STYLE'),
        credentials:
          accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
      };
    },
  };
}

const prefixOf = (text: string | null): string =>
  text === null || text.endsWith('/') ? (text ?? '') : `${text}/`;
