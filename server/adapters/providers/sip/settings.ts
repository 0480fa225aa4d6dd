import { z } from 'zod';
import { WRITTEN_TRUNK } from '../../../../shared/line-account.ts';
import {
  booleanSetting,
  choiceSetting,
  listSetting,
  numberSetting,
  secretSetting,
  textSetting,
} from '../../../platform/setting-kinds.ts';
import { isHost, isNetwork } from './network-names.ts';

const group = 'Phone line';

const HOST_ERROR = 'must be a host name or an IP address';
const host = z.string(HOST_ERROR).refine(isHost, HOST_ERROR);
const NETWORK_ERROR = 'must be a network such as 192.168.1.0/24';
const network = z.string(NETWORK_ERROR).refine(isNetwork, NETWORK_ERROR);
const NAME_ERROR = 'must be 1 to 64 letters, digits or one of . _ + @ -';
const name = z.string(NAME_ERROR).regex(/^[\w.+@-]{1,64}$/u, NAME_ERROR);
const FOLDER_ERROR = 'must be the absolute path of a folder, without quotes, commas and brackets';
/** It stands in calls of the dialplan, which takes commas, quotes and brackets for its own. */
const folder = z.string(FOLDER_ERROR).regex(/^\/[^\p{Cc}"'`,;|&$(){}[\]\\]{0,300}$/u, FOLDER_ERROR);
const PREFIX_ERROR = 'must be at most 20 digits, * or #';
const prefix = z.string(PREFIX_ERROR).regex(/^[\d*#]{1,20}$/u, PREFIX_ERROR);
const TRUNK_NAME_ERROR = 'must be 1 to 40 letters, digits or one of _ . -';
const trunkName = z.string(TRUNK_NAME_ERROR).regex(/^[\w.-]{1,40}$/u, TRUNK_NAME_ERROR);
const STATION_ERROR = 'must be at most 20 digits, spaces, + or capital letters';
const stationId = z.string(STATION_ERROR).regex(/^[\dA-Z +]{1,20}$/u, STATION_ERROR);
/** Validation messages of the form while a person types. */
const rules = {
  host: {
    pattern: '^(?:[A-Za-z\\d](?:[A-Za-z\\d.\\-]*[A-Za-z\\d])?|[A-Fa-f\\d]*:[A-Fa-f\\d:.]*)$',
    sentence: 'Enter a host name or an IP address, without a port and without sip: in front.',
  },
  name: {
    pattern: '^[\\w.+@\\-]{1,64}$',
    sentence: 'Use letters, digits and . _ + @ - without spaces.',
  },
  trunkName: { pattern: '^[\\w.\\-]{1,40}$', sentence: 'Use letters, digits and _ . - without spaces.' },
  folder: {
    pattern: '^/[^"\'`,;\\|&$\\(\\)\\{\\}\\[\\]\\\\]*$',
    sentence: 'Enter the whole path of a folder, such as /srv/faxdesk, without quotes, commas and brackets.',
  },
  prefix: { pattern: '^[\\d*#]{1,20}$', sentence: 'Use at most 20 digits, * and #.' },
  station: {
    pattern: '^[\\dA-Z +]{1,20}$',
    sentence: 'Use at most 20 digits, spaces, + and capital letters.',
  },
  network: {
    pattern: '^[\\dA-Fa-f.:]+/\\d{1,3}$',
    sentence: 'Enter networks such as 192.168.1.0/24.',
  },
} as const;
const PRESET_ERROR = 'must be the name of a preset';
const preset = z.string(PRESET_ERROR).regex(/^[a-z\d-]{1,40}$/u, PRESET_ERROR);

const engineSettings = {
  TELEPHONY_HOST: textSetting({
    group,
    label: 'Telephone engine',
    help: 'The computer that runs Asterisk, as a host name or an IP address.',
    schema: host,
    rule: rules.host,
    format: 'line',
    most: 253,
    default: '127.0.0.1',
  }),
  TELEPHONY_PORT: numberSetting({
    group,
    label: 'Engine port',
    help: 'The port of the manager interface (AMI) of Asterisk.',
    least: 1,
    most: 65_535,
    default: 5038,
  }),
  TELEPHONY_USER: textSetting({
    group,
    label: 'Engine user',
    help: 'The user of the manager interface, as in manager.conf.',
    schema: name,
    rule: rules.name,
    format: 'line',
    most: 64,
    default: 'faxdesk',
  }),
  TELEPHONY_PASSWORD: secretSetting({
    group,
    label: 'Engine password',
    help: 'Choose any long password. Faxdesk writes it into the configuration for Asterisk, in manager.conf.',
  }),
  TELEPHONY_ENGINE_FOLDER: textSetting({
    group,
    label: 'Data folder at the engine',
    help: 'The path of the Faxdesk data folder for Asterisk, if Asterisk runs in a container or on another computer. If empty, Asterisk uses the same path as Faxdesk.',
    schema: folder,
    rule: rules.folder,
    format: 'line',
    most: 301,
  }),
};

const trunkSettings = {
  TRUNK_PRESET: textSetting({
    group,
    label: 'Carrier',
    help: 'The name of the preset that the trunk was set up with. If empty, you set everything yourself.',
    schema: preset,
    format: 'line',
    most: 40,
  }),
  TRUNK_HOST: textSetting({
    group,
    label: 'Trunk host',
    help: 'The host of the carrier, as shown on its setup page.',
    schema: host,
    rule: rules.host,
    format: 'line',
    most: 253,
  }),
  TRUNK_PORT: numberSetting({
    group,
    label: 'Trunk port',
    help: 'The SIP port of the carrier: usually 5060, or 5061 with TLS.',
    least: 1,
    most: 65_535,
    default: 5060,
  }),
  TRUNK_TRANSPORT: choiceSetting({
    group,
    label: 'Transport',
    help: 'Transport of SIP messages to the carrier.',
    choices: ['udp', 'tcp', 'tls'],
    default: 'udp',
  }),
  TRUNK_AUTHENTICATION: choiceSetting({
    group,
    label: 'Authentication',
    help: 'Sign-in of this installation at the carrier: it registers with user and password (registration), only calls with them (digest), or uses its IP address (address).',
    choices: ['registration', 'digest', 'address'],
    default: 'registration',
  }),
  TRUNK_USER: textSetting({
    group,
    label: 'Trunk user',
    help: 'The user name of the trunk at the carrier. Not needed with authentication by address.',
    schema: name,
    rule: rules.name,
    format: 'line',
    most: 64,
  }),
  TRUNK_PASSWORD: secretSetting({
    group,
    label: 'Trunk password',
    help: 'The password of that user. Not needed with authentication by address.',
  }),
  TRUNK_NAME: textSetting({
    group,
    label: 'Name in Asterisk',
    help: 'The name of the trunk in pjsip.conf. The configuration that Faxdesk writes uses faxdesk-trunk. You set up any other trunk there yourself.',
    schema: trunkName,
    rule: rules.trunkName,
    format: 'line',
    most: 40,
    default: WRITTEN_TRUNK,
  }),
  TRUNK_LINES: numberSetting({
    group,
    label: 'Simultaneous calls',
    help: 'Maximum number of calls that the carrier allows at the same time on this trunk.',
    least: 1,
    most: 60,
    default: 2,
  }),
};

const callSettings = {
  TRUNK_DIAL_FORMAT: choiceSetting({
    group,
    label: 'Dialed numbers',
    help: 'The number format that the carrier expects: +12025550123 (plus_e164), 12025550123 (e164), or in North America 10 or 11 digits with 011 for other countries (nanp_10, nanp_11).',
    choices: ['plus_e164', 'e164', 'nanp_10', 'nanp_11'],
    default: 'plus_e164',
  }),
  TRUNK_DIAL_PREFIX: textSetting({
    group,
    label: 'Dial prefix',
    help: 'Digits that the carrier requires before every number, such as a tech prefix.',
    schema: prefix,
    rule: rules.prefix,
    format: 'line',
    most: 20,
  }),
  TRUNK_CODECS: choiceSetting({
    group,
    label: 'Codecs',
    help: 'The codec of calls: ulaw in North America and Japan, alaw elsewhere.',
    choices: ['ulaw,alaw', 'alaw,ulaw', 'ulaw', 'alaw'],
    default: 'ulaw,alaw',
  }),
};

const faxSettings = {
  TRUNK_T38: booleanSetting({
    group,
    label: 'T.38',
    help: 'Sends faxes as data if the carrier and the other side support it, otherwise as audio. When off, always as audio.',
    default: true,
  }),
  TRUNK_T38_CORRECTION: choiceSetting({
    group,
    label: 'T.38 error correction',
    help: 'Repair of lost packets. Most carriers use redundancy.',
    choices: ['redundancy', 'fec', 'none'],
    default: 'redundancy',
  }),
  TRUNK_ECM: booleanSetting({
    group,
    label: 'Error correction (ECM)',
    help: 'Sends damaged parts of a page again until they are correct. Turn it off only for machines that do not support it.',
    default: true,
  }),
  TRUNK_MOST_RATE: choiceSetting({
    group,
    label: 'Highest speed',
    help: 'In bits per second. A lower speed may help on poor lines.',
    choices: ['14400', '12000', '9600', '7200', '4800'],
    default: '14400',
  }),
  TRUNK_STATION_ID: textSetting({
    group,
    label: 'Station ID',
    help: 'The sender that other fax machines show, at most 20 characters. If empty, they show your fax number.',
    schema: stationId,
    rule: rules.station,
    format: 'line',
    most: 20,
  }),
};

const networkSettings = {
  TRUNK_EVEN_PORTS: booleanSetting({
    group,
    label: 'Even ports',
    help: 'Uses only even ports for T.38. Some carriers require this.',
    default: false,
  }),
  TRUNK_EXTERNAL_ADDRESS: textSetting({
    group,
    label: 'Outside address',
    help: 'The public address of the router in front of Asterisk. Leave it empty if there is no router.',
    schema: host,
    rule: rules.host,
    format: 'line',
    most: 253,
  }),
  TRUNK_LOCAL_NETS: listSetting({
    group,
    label: 'Local networks',
    help: 'Networks that Asterisk reaches without the router, such as 192.168.1.0/24.',
    entry: network,
    rule: rules.network,
    format: 'line',
  }),
};

/** Of the telephone engine and its trunk. */
export const sipSettings = {
  ...engineSettings,
  ...trunkSettings,
  ...callSettings,
  ...faxSettings,
  ...networkSettings,
};
