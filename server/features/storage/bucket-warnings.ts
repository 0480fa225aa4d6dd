import type { DocumentBucket } from '../../adapters/storage/port.ts';
import type { SettingsService } from '../settings/service.ts';
import type { KeptBucket } from './sharing.ts';

const NO_BUCKET =
  'Documents are kept on this computer: object storage is chosen in the settings, but no bucket is named.';

export interface BucketParts {
  readonly kept: Pick<KeptBucket, 'warning'>;
  readonly bucket: DocumentBucket;
  readonly settings: SettingsService;
}

/** Returns the sentences about the object storage that need attention. */
export function bucketWarnings({ bucket, kept: keptBucket, settings }: BucketParts): string[] {
  const moved = keptBucket.warning();
  if (moved !== null) return [moved];
  const { address, problem, removals } = bucket.state();
  if (settings.get('STORAGE_BACKEND') === 's3' && address === null) return [NO_BUCKET];
  const kept = removals === 1 ? '1 document' : `${removals} documents`;
  return [
    ...(problem === null ? [] : [`The object storage has a problem. ${problem}`]),
    ...(removals === 0 ? [] : [`${kept} could not be removed from the bucket yet. Faxdesk tries again.`]),
  ];
}
