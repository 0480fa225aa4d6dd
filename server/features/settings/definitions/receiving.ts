import {
  booleanSetting,
  choiceSetting,
  numberSetting,
  secretSetting,
} from '../../../platform/setting-kinds.ts';

const group = 'Receiving';

export const receivingSettings = {
  INBOUND_ENABLED: booleanSetting({
    group,
    label: 'Receive faxes',
    help: 'Receives faxes from every provider whose credentials are set.',
    default: false,
  }),
  INBOUND_POLLING: choiceSetting({
    group,
    label: 'Check for faxes',
    help: 'Asks the providers for received faxes every minute: always (on), never (off), or only while they cannot notify Faxdesk (auto). Those that can are asked every 15 minutes, unless this is off.',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
  }),
  TELEPHONY_INBOUND_SECRET: secretSetting({
    group,
    label: 'Telephone engine secret',
    help: 'Proves that a received fax comes from the telephone engine, which reads it from telephony/inbound-secret in the data folder. If empty, one is created.',
  }),
  INBOUND_RETENTION_DAYS: numberSetting({
    group: 'Cleanup',
    label: 'Keep received documents',
    help: 'The documents of received faxes are removed after this many days; their records stay. 0 keeps them.',
    least: 0,
    most: 36_500,
    default: 0,
  }),
};
