import { booleanSetting, listSetting, numberSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { baseAddress, browserOrigin } from '../web-address.ts';

export const accessSettings = {
  PUBLIC_API_URL: textSetting({
    group: 'Addresses',
    label: 'Public address',
    help: 'The address at which providers and browsers reach this gateway. It must use HTTPS unless it is in the own network, and has no slash at its end.',
    schema: baseAddress,
    format: 'base_address',
    most: 500,
  }),
  ALLOWED_ORIGINS: listSetting({
    group: 'Addresses',
    label: 'Further origins',
    help: 'Other addresses from which a browser may sign in, such as https://desk.example.com.',
    entry: browserOrigin,
    format: 'origin',
  }),
  REQUIRE_API_KEY: booleanSetting({
    group: 'Access',
    label: 'Require a credential',
    help: 'When off and no API_KEY is set, everyone who reaches the gateway may do everything; for development only.',
    default: true,
    restart: true,
    environment: 'every start',
  }),
  SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: booleanSetting({
    group: 'Access',
    label: 'Sign-in over plain HTTP',
    help: 'Lets browsers sign in without HTTPS from other computers, where others can read along.',
    default: false,
  }),
  SESSION_IDLE_MINUTES: numberSetting({
    group: 'Access',
    label: 'Idle time of a sign-in',
    help: 'A browser that did nothing for this many minutes must sign in again.',
    least: 5,
    most: 720,
    default: 30,
  }),
  IDLE_LOCK_MINUTES: numberSetting({
    group: 'Security',
    label: 'Lock after',
    help: 'The console asks for the password again after this many minutes without a key or click; 0 never locks it.',
    least: 0,
    most: 720,
    default: 10,
  }),
};
