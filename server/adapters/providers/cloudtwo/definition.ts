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
  formerPaths: { '/sinch-inbound': '/cloudtwo-inbound' },
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
      summary: 'Hint that the outcome of a fax may be available; Faxdesk then asks the provider',
      description:
        'The provider does not sign this message, so Faxdesk ignores its content and asks the provider instead, at most once a minute for each fax. If the answer to a fax was lost, Faxdesk searches the provider’s faxes to that number at that time.',
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
