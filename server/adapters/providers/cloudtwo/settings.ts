import { z } from 'zod';
import { choiceSetting, secretSetting, textSetting } from '../../../platform/setting-kinds.ts';

const group = 'Cloudtwo';

const PROJECT_ERROR = 'must be 1 to 64 letters, digits or hyphens';
const USER_ERROR = 'must be 1 to 100 visible characters without a colon';

export const cloudtwoSettings = {
  CLOUDTWO_PROJECT_ID: textSetting({
    group,
    label: 'Project',
    help: 'The ID of your project at the fax provider.',
    schema: z.string(PROJECT_ERROR).regex(/^[\w-]{1,64}$/u, PROJECT_ERROR),
    format: 'line',
    most: 64,
    environment: 'every start',
  }),
  CLOUDTWO_API_KEY: secretSetting({
    group,
    label: 'Access key',
    help: 'The ID of an access key of the project.',
  }),
  CLOUDTWO_API_SECRET: secretSetting({
    group,
    label: 'Access secret',
    help: 'The secret that belongs to the access key.',
  }),
  CLOUDTWO_AUTH_METHOD: choiceSetting({
    group,
    label: 'Sign-in',
    help: 'Use of the access key: exchanged for a token that lasts an hour (oauth2), or sent with every request (basic).',
    choices: ['oauth2', 'basic'],
    default: 'oauth2',
  }),
  CLOUDTWO_REGION: choiceSetting({
    group,
    label: 'Region',
    help: 'The location of the servers that handle your faxes: global, or one region.',
    choices: ['global', 'use1', 'eu1', 'sae1', 'apse1', 'apse2'],
    default: 'global',
  }),
  CLOUDTWO_INBOUND_BASIC_USER: textSetting({
    group,
    label: 'Notification user name',
    help: 'The user name in the address where the fax provider reports received faxes. Without user name and password, Faxdesk first asks the fax provider about each fax.',
    schema: z.string(USER_ERROR).regex(/^[!-9;-~]{1,100}$/u, USER_ERROR),
    format: 'line',
    most: 100,
    environment: 'every start',
  }),
  CLOUDTWO_INBOUND_BASIC_PASS: secretSetting({
    group,
    label: 'Notification password',
    help: 'The password in that address. Once both are set, every notification must include them.',
  }),
  CLOUDTWO_API_URL: textSetting({
    group,
    label: 'API address',
    help: 'The address Faxdesk uses instead of the regional one, for example for tests. It must be a host of the fax provider, or this computer.',
    schema: z
      .string('must be a web address')
      .min(1, 'must be a web address')
      .max(500, 'must be a web address'),
    format: 'web_address',
    most: 500,
  }),
};
