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
    help: 'Takes in received faxes from every provider whose credentials are set.',
    default: false,
  }),
  INBOUND_POLLING: choiceSetting({
    group,
    label: 'Look for faxes',
    help: 'Asks the providers every minute for received faxes: always (on), never (off), or while there is no public address at which they could notify this gateway (auto).',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
  }),
  TELEPHONY_INBOUND_SECRET: secretSetting({
    group,
    label: 'Secret of the telephone engine',
    help: 'Proves that a received fax is handed over by the telephone engine, which reads it from telephony/inbound-secret in the data folder. While none is set, one is made.',
  }),
  INBOUND_RETENTION_DAYS: numberSetting({
    group: 'Cleanup',
    label: 'Keep received documents',
    help: 'The documents of received faxes are removed after this many days, their records stay; 0 keeps them.',
    least: 0,
    most: 36_500,
    default: 0,
  }),
};
