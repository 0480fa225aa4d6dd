import { defineProvider } from '../define-provider.ts';
import { checkCloudtwoUrl, cloudtwoAccount, cloudtwoAccountOf } from './account.ts';
import { createCaller } from './call.ts';
import { notificationBody, notificationSecurity } from './described.ts';
import { createCloudtwo } from './provider.ts';
import { createCloudtwoReceiving } from './receiving.ts';
import { cloudtwoSettings } from './settings.ts';

export const cloudtwo = defineProvider({
  backend: 'cloudtwo',
  displayName: 'Sinch',
  help: 'Cloud fax over the internet. Needs a project, an access key and its secret.',
  printsOurTime: true,
  numbersPages: true,
  settings: cloudtwoSettings,
  formerSettings: ['CLOUDTWO_INBOUND_VERIFY_SIGNATURE', 'CLOUDTWO_INBOUND_HMAC_SECRET'],
  essentials: ['CLOUDTWO_PROJECT_ID', 'CLOUDTWO_API_KEY', 'CLOUDTWO_API_SECRET'],
  addresses: { CLOUDTWO_API_URL: checkCloudtwoUrl },
  locationSettings: ['CLOUDTWO_REGION'],
  account: cloudtwoAccount,
  accountOf: cloudtwoAccountOf,
  addressCredentials({ CLOUDTWO_INBOUND_BASIC_USER: user, CLOUDTWO_INBOUND_BASIC_PASS: password }) {
    return user && password ? { user, password } : null;
  },
  routes: {
    callback: {
      summary: 'Hint that the outcome of a fax may be known; the provider is asked',
      description:
        'The provider signs nothing, so what is sent here is not read. Only the answer of the provider counts; it is asked once a minute for each fax at most. A fax whose answer was lost is looked for among those to its number at that time.',
      reader: null,
    },
    notification: {
      summary: 'Notification of a received fax from the provider cloudtwo',
      basic: notificationSecurity,
      rawBody: notificationBody,
    },
  },
  connect: ({ clock }) => createCaller({ clock }),
  send: createCloudtwo,
  receive: createCloudtwoReceiving,
});
