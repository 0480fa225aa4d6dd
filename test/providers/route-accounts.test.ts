import { expect, test } from 'vitest';
import { cloudone, cloudtwo } from '../../server/adapters/providers/registry.ts';

const ofRoute = {
  cloudone: { CLOUDONE_API_KEY: 'key', CLOUDONE_API_SECRET: 'secret' },
  cloudtwo: { CLOUDTWO_PROJECT_ID: 'project', CLOUDTWO_API_KEY: 'key', CLOUDTWO_API_SECRET: 'secret' },
};
const usual = {
  CLOUDONE_API_KEY: 'usual-key',
  CLOUDONE_API_SECRET: 'usual-secret',
  CLOUDONE_CALLBACK_TOKEN: 'usual-token',
  CLOUDTWO_PROJECT_ID: 'usual-project',
  CLOUDTWO_INBOUND_BASIC_USER: 'usual-user',
  CLOUDTWO_INBOUND_BASIC_PASS: 'usual-pass',
};

test('the account of a route is whole by itself, but for the address of the settings', () => {
  const one = { ...usual, CLOUDONE_API_URL: 'http://127.0.0.1:1' };
  expect(cloudone.routeAccountOf(ofRoute.cloudone, one)).toMatchObject({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'key',
    callbackToken: null,
  });
  expect(cloudone.routeAccountOf({ CLOUDONE_API_KEY: 'key' }, one)).toContain('has no credentials yet');
  const two = { ...usual, CLOUDTWO_API_URL: 'http://127.0.0.1:2', CLOUDTWO_REGION: 'eu1' };
  expect(cloudtwo.routeAccountOf(ofRoute.cloudtwo, two)).toMatchObject({
    baseUrl: 'http://127.0.0.1:2',
    projectId: 'project',
    notificationBasic: null,
  });
});

test('the account of a route is in the region of the settings, unless it names one', () => {
  const eu = { ...usual, CLOUDTWO_API_URL: null, CLOUDTWO_REGION: 'eu1' };
  expect(cloudtwo.routeAccountOf(ofRoute.cloudtwo, eu)).toMatchObject({
    baseUrl: 'https://eu1.fax.api.sinch.com',
  });
  expect(cloudtwo.routeAccountOf({ ...ofRoute.cloudtwo, CLOUDTWO_REGION: 'use1' }, eu)).toMatchObject({
    baseUrl: 'https://use1.fax.api.sinch.com',
  });
});
