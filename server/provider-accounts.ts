import type { Backend } from '../shared/states.ts';
import { cloudoneAccountId, cloudoneBaseUrl } from './adapters/providers/cloudone/account.ts';
import { cloudtwoAccountId, cloudtwoBaseUrl } from './adapters/providers/cloudtwo/account.ts';
import type { ProviderAccount } from './adapters/providers/port.ts';
import type { ReceivingAccount } from './adapters/providers/receiving-port.ts';
import type { SettingValues } from './features/settings/service.ts';

export type CloudBackend = Exclude<Backend, 'sip'>;

export function isCloudBackend(backend: string): backend is CloudBackend {
  return backend === 'cloudone' || backend === 'cloudtwo';
}

/** The account that the settings name, or the sentence that says what is missing. */
export function accountOf(backend: CloudBackend, values: SettingValues): ProviderAccount | string {
  return backend === 'cloudone' ? cloudoneAccount(values) : cloudtwoAccount(values);
}

/** The same account with what notifications of received faxes are verified by. */
export function receivingAccountOf(backend: CloudBackend, values: SettingValues): ReceivingAccount | string {
  const account = accountOf(backend, values);
  if (typeof account === 'string') return account;
  const verifySignature = backend === 'cloudone' && values.CLOUDONE_INBOUND_VERIFY_SIGNATURE;
  return { ...account, verifySignature, notificationBasic: notificationBasic(backend, values) };
}

function notificationBasic(
  backend: CloudBackend,
  values: SettingValues,
): ReceivingAccount['notificationBasic'] {
  const { CLOUDTWO_INBOUND_BASIC_USER: user, CLOUDTWO_INBOUND_BASIC_PASS: password } = values;
  return backend === 'cloudtwo' && user && password ? { user, password } : null;
}

function cloudoneAccount(values: SettingValues): ProviderAccount | string {
  const apiKey = values.CLOUDONE_API_KEY;
  const apiSecret = values.CLOUDONE_API_SECRET;
  if (!apiKey || !apiSecret)
    return 'The fax provider has no credentials yet: set its API key and secret first.';
  return {
    backend: 'cloudone',
    accountId: cloudoneAccountId(apiKey),
    baseUrl: values.CLOUDONE_API_URL ?? cloudoneBaseUrl,
    apiKey,
    apiSecret,
    callbackToken: values.CLOUDONE_CALLBACK_TOKEN,
    verifySignature: values.CLOUDONE_VERIFY_SIGNATURE,
  };
}

function cloudtwoAccount(values: SettingValues): ProviderAccount | string {
  const projectId = values.CLOUDTWO_PROJECT_ID;
  const apiKey = values.CLOUDTWO_API_KEY;
  const apiSecret = values.CLOUDTWO_API_SECRET;
  if (!projectId || !apiKey || !apiSecret)
    return 'The fax provider has no credentials yet: set its project, access key and access secret first.';
  return {
    backend: 'cloudtwo',
    accountId: cloudtwoAccountId(projectId),
    baseUrl: values.CLOUDTWO_API_URL ?? cloudtwoBaseUrl(values.CLOUDTWO_REGION),
    apiKey,
    apiSecret,
    projectId,
    signIn: values.CLOUDTWO_AUTH_METHOD,
    callbackToken: null,
    verifySignature: false,
  };
}
