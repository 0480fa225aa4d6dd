import { z } from 'zod';
import { booleanSetting, secretSetting, textSetting } from '../../../platform/setting-kinds.ts';

const group = 'Cloudone';

export const cloudoneSettings = {
  CLOUDONE_API_KEY: secretSetting({
    group,
    label: 'API key',
    help: 'The key of the account at the provider.',
  }),
  CLOUDONE_API_SECRET: secretSetting({
    group,
    label: 'API secret',
    help: 'The secret that belongs to the API key.',
  }),
  CLOUDONE_CALLBACK_TOKEN: secretSetting({
    group,
    label: 'Callback token',
    help: 'Proves that a callback comes from the provider; it is not the API secret. Without it no callback is accepted.',
  }),
  CLOUDONE_VERIFY_SIGNATURE: booleanSetting({
    group,
    label: 'Check callbacks',
    help: 'When off, callbacks are refused and only polling tells the outcome; unsigned callbacks are never accepted.',
    default: true,
  }),
  CLOUDONE_INBOUND_VERIFY_SIGNATURE: booleanSetting({
    group,
    label: 'Check notifications',
    help: 'When off, a notification of a received fax is only a hint: the fax is looked up at the provider first, and what the notification attaches is not used.',
    default: true,
  }),
  CLOUDONE_API_URL: textSetting({
    group,
    label: 'API address',
    help: 'Replaces the address of the provider, for example for tests. It must use HTTPS unless it is this computer.',
    schema: z
      .string('must be a web address')
      .min(1, 'must be a web address')
      .max(500, 'must be a web address'),
    format: 'web_address',
    most: 500,
    environment: 'every start',
  }),
};
