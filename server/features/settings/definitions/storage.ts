import { z } from 'zod';
import { BACKUP_PERMISSIONS } from '../../../../shared/permissions.ts';
import {
  booleanSetting,
  choiceSetting,
  secretSetting,
  textSetting,
} from '../../../platform/setting-kinds.ts';
import { lineOf } from './line-schemas.ts';

const group = 'Storage';
/** They decide who has the documents. */
const opens = BACKUP_PERMISSIONS;

const BUCKET_ERROR = 'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens';
const PREFIX_ERROR =
  'must be folder names of letters, digits, dots, hyphens and underscores, separated by slashes';
const REGION_ERROR = 'must be the name of a region such as eu-central-1';
const ENDPOINT_ERROR = 'must be an address such as https://storage.example.com';
const endpoint = z
  .string(ENDPOINT_ERROR)
  .max(255, ENDPOINT_ERROR)
  .regex(/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/u, ENDPOINT_ERROR)
  .refine((text) => URL.canParse(text), ENDPOINT_ERROR);

export const storageSettings = {
  STORAGE_BACKEND: choiceSetting({
    opens,
    group,
    label: 'Where documents are kept',
    help: 'With local in the data folder of this computer, with s3 in a bucket of Amazon S3 or a compatible service. To move earlier documents: faxdesk storage move.',
    choices: ['local', 's3'],
    default: 'local',
  }),
  S3_BUCKET: textSetting({
    opens,
    group,
    label: 'Bucket',
    help: 'The name of the bucket. Documents that are sealed on disk are sealed in it too. While documents are in a bucket, it cannot be replaced by another one.',
    schema: z.string(BUCKET_ERROR).regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u, BUCKET_ERROR),
    format: 'line',
    most: 63,
  }),
  S3_PREFIX: textSetting({
    opens,
    group,
    label: 'Folder in the bucket',
    help: 'The names of all documents in the bucket begin with this, such as faxdesk/. Each installation needs a folder for itself alone.',
    schema: z
      .string(PREFIX_ERROR)
      .max(200, PREFIX_ERROR)
      .regex(/^[\w.-]+(?:\/[\w.-]+)*\/?$/u, PREFIX_ERROR),
    format: 'line',
    most: 200,
  }),
  S3_REGION: textSetting({
    opens,
    group,
    label: 'Region',
    help: 'The region of the bucket, such as eu-central-1. If empty, the one that is set up for this computer.',
    schema: z.string(REGION_ERROR).regex(/^[a-z0-9-]{2,40}$/u, REGION_ERROR),
    format: 'line',
    most: 40,
  }),
  S3_ENDPOINT_URL: textSetting({
    opens,
    group,
    label: 'Address of the service',
    help: 'For a service other than Amazon S3, such as https://storage.example.com. Empty for Amazon S3.',
    schema: endpoint,
    format: 'line',
    most: 255,
    warning: (text) =>
      text.startsWith('http:') ? 'Documents travel unencrypted to this address. Use one with https.' : null,
  }),
  S3_KMS_KEY_ID: textSetting({
    opens,
    group,
    label: 'KMS key',
    help: 'The ID or ARN of the key with which Amazon S3 encrypts the documents. If empty, the bucket decides.',
    schema: lineOf(500),
    format: 'line',
    most: 500,
  }),
  S3_PATH_STYLE: booleanSetting({
    opens,
    group,
    label: 'Bucket in the path',
    help: 'For services that expect the name of the bucket after the address instead of in front of it.',
    default: false,
  }),
  AWS_ACCESS_KEY_ID: textSetting({
    opens,
    group,
    label: 'Access key ID',
    help: 'The ID of an access key for the bucket. If empty, Faxdesk uses the role of this computer or a profile that is set up on it.',
    schema: z.string('must be an access key ID').regex(/^[!-~]{1,128}$/u, 'must be an access key ID'),
    format: 'line',
    most: 128,
    environment: 'every start',
  }),
  AWS_SECRET_ACCESS_KEY: secretSetting({
    opens,
    group,
    label: 'Secret access key',
    help: 'The secret of that access key.',
  }),
};
