import { createHttpClient } from '../../../platform/http-client.ts';
import { defineProvider } from '../define-provider.ts';
import { checkBaseUrl, cloudoneAccount, cloudoneAccountOf } from './account.ts';
import { headProblem, readCallback, verifyCallback } from './callback.ts';
import { callbackBody, callbackHeaders, notificationBody, notificationHeaders } from './described.ts';
import { createCloudone } from './provider.ts';
import { createCloudoneReceiving } from './receiving.ts';
import { cloudoneSettings } from './settings.ts';

export const cloudone = defineProvider({
  backend: 'cloudone',
  displayName: 'Phaxio',
  help: 'Cloud fax over the internet. Needs an API key and its secret.',
  printsOurTime: false,
  // It numbers them by itself, in a form that is not described.
  numbersPages: false,
  settings: cloudoneSettings,
  formerPaths: { '/phaxio-callback': '/cloudone-callback', '/phaxio-inbound': '/cloudone-inbound' },
  essentials: ['CLOUDONE_API_KEY', 'CLOUDONE_API_SECRET', 'CLOUDONE_CALLBACK_TOKEN'],
  // Without it the outcome is asked for at intervals.
  optional: ['CLOUDONE_CALLBACK_TOKEN'],
  addresses: { CLOUDONE_API_URL: checkBaseUrl },
  account: cloudoneAccount,
  accountOf: cloudoneAccountOf,
  notificationProblem(values) {
    if (!values.CLOUDONE_INBOUND_VERIFY_SIGNATURE || values.CLOUDONE_CALLBACK_TOKEN !== null) return null;
    return {
      title: 'The callback token is missing',
      sentence: 'Without it, Faxdesk cannot verify messages from Phaxio and refuses them.',
      action: 'Enter the token',
    };
  },
  routes: {
    callback: {
      summary: 'Outcome of a fax, signed by the provider',
      description: 'A multipart or URL-encoded form, signed with the callback token in X-Cloudone-Signature.',
      headers: callbackHeaders,
      rawBody: callbackBody,
      reader: { headProblem, verifyCallback, readCallback },
    },
    notification: {
      summary: 'Notification of a received fax from the provider cloudone',
      headers: notificationHeaders,
      rawBody: notificationBody,
    },
  },
  connect: () => ({ httpClient: createHttpClient({}) }),
  send: createCloudone,
  receive: createCloudoneReceiving,
});
