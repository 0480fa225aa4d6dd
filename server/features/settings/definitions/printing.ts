import { PRINT_TO_FAX } from '../../../../shared/printing.ts';
import { choiceSetting, numberSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { hostName } from './https.ts';

const group = 'Print to fax';

export const printingSettings = {
  PRINT_TO_FAX: choiceSetting({
    group,
    label: 'Fax printer',
    help: 'A printer named Faxdesk. What is printed on this computer, or in the network with a print password, waits on the Send screen. Nothing is sent until someone sends it.',
    choices: [...PRINT_TO_FAX],
    default: 'off',
  }),
  PRINT_PORT: numberSetting({
    group,
    label: 'Port of the printer',
    help: 'The number after the colon in the address of the printer. If you change it, add the printer again on this computer.',
    least: 1,
    most: 65_535,
    default: 6310,
  }),
  PRINT_NETWORK_HOST: textSetting({
    group,
    label: 'Network address',
    help: 'The address of this computer at which other computers print, encrypted. 0.0.0.0 means all of its addresses.',
    schema: hostName,
    format: 'line',
    most: 253,
    default: '0.0.0.0',
  }),
  PRINT_NETWORK_PORT: numberSetting({
    group,
    label: 'Network port',
    help: 'The number after the colon in the address for other computers. They need it when they add the printer.',
    least: 1,
    most: 65_535,
    default: 6311,
  }),
  PRINTED_DAYS: numberSetting({
    group: 'Cleanup',
    label: 'Keep printed documents',
    help: 'Documents that were printed to Faxdesk or scanned, and not sent, are deleted after this many days. 0 keeps them.',
    least: 0,
    most: 36_500,
    default: 7,
  }),
};
