import { isIP } from 'node:net';
import { z } from 'zod';
import { isAddressRange, isTooWide } from '../../../platform/address-range.ts';
import { booleanSetting, listSetting, numberSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { lineOf } from './line-schemas.ts';

const group = 'Other computers';

const HOST_NAME = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*$/u;
const HOST_ERROR = 'must be a host name or an address such as fax.office.example or 192.168.1.20';
/** Host name or address in lower case. */
export const hostName = z
  .string(HOST_ERROR)
  .refine((text) => isIP(text) !== 0 || HOST_NAME.test(text), `${HOST_ERROR}, in lower case`);
const PROXY_ERROR = 'must contain addresses or ranges of them such as 10.0.0.5 or 10.0.0.0/8';
const PROXY_WIDE =
  'must not contain a range this wide: any caller in it could pretend to have another address';
const proxy = z
  .string(PROXY_ERROR)
  .refine(isAddressRange, PROXY_ERROR)
  .refine((range) => !isTooWide(range), PROXY_WIDE);

export const httpsSettings = {
  HTTPS_ENABLED: booleanSetting({
    group,
    label: 'Reachable over HTTPS',
    help: 'Lets other computers in the office open the console at an https address of this computer.',
    default: false,
  }),
  HTTPS_HOST: textSetting({
    group,
    label: 'HTTPS address',
    help: 'The address of this computer that accepts HTTPS connections. 0.0.0.0 means all of its addresses.',
    schema: hostName,
    format: 'line',
    most: 253,
    default: '0.0.0.0',
  }),
  HTTPS_PORT: numberSetting({
    group,
    label: 'HTTPS port',
    help: 'The number after the colon in the https address. 0 uses any free port.',
    least: 0,
    most: 65_535,
    default: 8443,
  }),
  HTTPS_NAMES: listSetting({
    group,
    label: 'Other names',
    help: 'Other names or addresses that people use to open this computer over HTTPS, such as fax.office.example.',
    entry: hostName,
    format: 'line',
  }),
  HTTPS_ANNOUNCED: booleanSetting({
    group,
    label: 'Found in the local network',
    help: 'Announces Faxdesk with the name of the organization, and the fax printer for the network, so that other computers in the office find it without an address.',
    default: false,
  }),
  HTTPS_CERTIFICATE_FILE: textSetting({
    // The holder of the key can read what people type when they sign in.
    opens: ['users:manage'],
    group,
    label: 'Certificate file',
    help: 'A certificate from another issuer with its chain, as a PEM file on this computer. Without one, Faxdesk issues its own.',
    schema: lineOf(1000),
    format: 'line',
    most: 1000,
  }),
  HTTPS_KEY_FILE: textSetting({
    opens: ['users:manage'],
    group,
    label: 'Certificate key file',
    help: 'The private key of the certificate, as a PEM file on this computer without a password.',
    schema: lineOf(1000),
    format: 'line',
    most: 1000,
  }),
  TRUSTED_PROXIES: listSetting({
    // These settings decide which address a sign-in appears to come from, and whether over HTTPS.
    opens: ['users:manage'],
    group: 'Addresses',
    label: 'Trusted proxies',
    help: 'Addresses or ranges of reverse proxies that report the real caller in X-Forwarded-For and X-Forwarded-Proto.',
    entry: proxy,
    format: 'line',
  }),
};
