import { isIP } from 'node:net';
import { z } from 'zod';
import { isAddressRange } from '../../../platform/address-range.ts';
import { booleanSetting, listSetting, numberSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { line } from './audit.ts';

const group = 'Other computers';

const HOST_NAME = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*$/u;
const HOST_ERROR = 'must be a host name or an address such as fax.office.example or 192.168.1.20';
const hostName = z
  .string(HOST_ERROR)
  .refine((text) => isIP(text) !== 0 || HOST_NAME.test(text), `${HOST_ERROR}, in lower case`);
const PROXY_ERROR = 'must hold addresses or ranges of them such as 10.0.0.5 or 10.0.0.0/8';
const proxy = z.string(PROXY_ERROR).refine(isAddressRange, PROXY_ERROR);

export const httpsSettings = {
  HTTPS_ENABLED: booleanSetting({
    group,
    label: 'Reachable over HTTPS',
    help: 'Lets other computers of the office open the console at an address of this computer that begins with https.',
    default: false,
  }),
  HTTPS_HOST: textSetting({
    group,
    label: 'Listens for them at',
    help: 'The address of this computer at which it can be reached over HTTPS; 0.0.0.0 means every one of them.',
    schema: hostName,
    format: 'line',
    most: 253,
    default: '0.0.0.0',
  }),
  HTTPS_PORT: numberSetting({
    group,
    label: 'Port for HTTPS',
    help: 'The number behind the colon of the https address; 0 takes any that is free.',
    least: 0,
    most: 65_535,
    default: 8443,
  }),
  HTTPS_NAMES: listSetting({
    group,
    label: 'Further names',
    help: 'Other names or addresses under which this computer is opened over HTTPS, such as fax.office.example.',
    entry: hostName,
    format: 'line',
  }),
  HTTPS_CERTIFICATE_FILE: textSetting({
    group,
    label: 'Certificate file',
    help: 'A certificate that somebody else issued, with those above it, as a PEM file on this computer. Without one, Faxdesk issues its own.',
    schema: line(1000),
    format: 'line',
    most: 1000,
  }),
  HTTPS_KEY_FILE: textSetting({
    group,
    label: 'Key file of the certificate',
    help: 'The private key of the certificate file, as a PEM file on this computer that is not locked with a password.',
    schema: line(1000),
    format: 'line',
    most: 1000,
  }),
  TRUSTED_PROXIES: listSetting({
    group: 'Addresses',
    label: 'Proxies to believe',
    help: 'Addresses or ranges of reverse proxies that tell who really asks, in X-Forwarded-For and X-Forwarded-Proto.',
    entry: proxy,
    format: 'line',
  }),
};
