import { z } from 'zod';
import { secretSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { lineOf } from './line-schemas.ts';

const group = 'Office directory';

const URL_ERROR = 'must be an address such as ldaps://directory.example.com';
const address = z
  .string(URL_ERROR)
  .max(255, URL_ERROR)
  .regex(/^ldaps?:\/\/(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/u, URL_ERROR)
  .refine((text) => URL.canParse(text), URL_ERROR);
const FILTER_ERROR = 'must be a filter in parentheses, such as (objectClass=person)';

/** The names that are searched decide to whom faxes go. */
const opens = ['contacts:manage'] as const;

export const directorySettings = {
  DIRECTORY_URL: textSetting({
    opens,
    group,
    label: 'Directory server',
    help: 'The LDAP server or Active Directory whose fax numbers people find when they send. An address with ldap is encrypted by StartTLS. Empty means no directory.',
    schema: address,
    format: 'line',
    most: 255,
  }),
  DIRECTORY_USER: textSetting({
    opens,
    group,
    label: 'Sign-in name at the directory',
    help: 'For Active Directory an address such as faxdesk@office.example, otherwise a distinguished name. An account that may only read is enough. Empty means without signing in.',
    schema: lineOf(500),
    format: 'line',
    most: 500,
  }),
  DIRECTORY_PASSWORD: secretSetting({
    opens,
    group,
    label: 'Password at the directory',
    help: 'The password of that account.',
  }),
  DIRECTORY_BASE: textSetting({
    opens,
    group,
    label: 'Search below',
    help: 'Part of the directory that is searched, such as ou=People,dc=office,dc=example. Empty means all of it.',
    schema: lineOf(500),
    format: 'line',
    most: 500,
  }),
  DIRECTORY_FILTER: textSetting({
    opens,
    group,
    label: 'Only entries with',
    help: 'An LDAP filter that entries have to match, such as (objectClass=person). Entries without a fax number are never found.',
    schema: lineOf(500).and(z.string().regex(/^\(.+\)$/u, FILTER_ERROR)),
    format: 'line',
    most: 500,
  }),
};
