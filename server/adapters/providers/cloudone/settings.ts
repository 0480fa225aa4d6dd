import { z } from 'zod';
import { booleanSetting, secretSetting, textSetting } from '../../../platform/setting-kinds.ts';

const group = 'Cloudone';

export const cloudoneSettings = {
  CLOUDONE_API_KEY: secretSetting({
    group,
    label: 'API key',
    help: 'The API key of your account at the fax provider.',
  }),
  CLOUDONE_API_SECRET: secretSetting({
    group,
    label: 'API secret',
    help: 'The secret that belongs to the API key.',
  }),
  CLOUDONE_CALLBACK_TOKEN: secretSetting({
    group,
    label: 'Callback token',
    help: 'Proves that a callback comes from the fax provider. It is not the API secret. Without it, no callback is accepted.',
  }),
  CLOUDONE_VERIFY_SIGNATURE: booleanSetting({
    group,
    label: 'Check callbacks',
    help: 'When off, callbacks are refused and Faxdesk asks the fax provider for the outcome instead. Unsigned callbacks are never accepted.',
    default: true,
  }),
  CLOUDONE_INBOUND_VERIFY_SIGNATURE: booleanSetting({
    group,
    label: 'Check notifications',
    help: 'When off, a notification of a received fax is only a hint: Faxdesk asks the fax provider for the fax and ignores the attached document.',
    default: true,
  }),
  CLOUDONE_API_URL: textSetting({
    group,
    label: 'API address',
    help: 'The address Faxdesk uses instead of the usual one, for example for tests. It must use HTTPS unless it is this computer.',
    schema: z
      .string('must be a web address')
      .min(1, 'must be a web address')
      .max(500, 'must be a web address'),
    format: 'web_address',
    most: 500,
  }),
};
