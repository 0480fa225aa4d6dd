import { z } from 'zod';
import { SUMMARY_SHOWS } from '../../../../shared/api/summary.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import {
  booleanSetting,
  choiceSetting,
  listSetting,
  numberSetting,
  textSetting,
} from '../../../platform/setting-kinds.ts';
import { HOURS } from './backups.ts';
import { lineOf } from './line-schemas.ts';

const group = 'E-mail';
const ADDRESS = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/u;

export const mailSettings = {
  MAIL_ATTACHMENT_MB: numberSetting({
    group,
    label: 'Largest attachment',
    help: 'Received faxes larger than this many megabytes are not attached to e-mails.',
    least: 1,
    most: 100,
    default: 20,
  }),
  MAIL_LINK_WHEN_LARGE: booleanSetting({
    opens: ['inbound:document'],
    group,
    label: 'Link large faxes',
    help: 'Sends a link to the Inbox for a fax that is too large to attach, instead of asking a person. Needs the public address. People who open the link have to sign in.',
    default: false,
  }),
  MAIL_IMPORTED: booleanSetting({
    opens: ['inbound:document'],
    group,
    label: 'Also send imported faxes',
    help: 'Also e-mails faxes that are imported from another system, like received faxes. Faxes imported while this is off are not sent later.',
    default: false,
  }),
  MAIL_UNENCRYPTED: booleanSetting({
    opens: ['inbound:document'],
    group,
    label: 'Unencrypted e-mail servers',
    help: 'Allows e-mail connectors without encryption to servers other than this computer. Faxes and passwords then cross the network unprotected.',
    default: false,
  }),
  SUMMARY_RECIPIENTS: listSetting({
    opens: SUMMARY_SHOWS,
    group,
    label: 'Daily summary to',
    help: 'E-mail addresses that get the numbers of the previous day: received, overdue, failed and costs, without fax numbers and contents. No summary if empty.',
    entry: z.string().regex(ADDRESS, 'must be an e-mail address').max(LIMITS.connector.address),
    format: 'line',
    rule: { pattern: ADDRESS.source, sentence: 'Enter an e-mail address.' },
  }),
  SUMMARY_AT: choiceSetting({
    group,
    label: 'Daily summary at',
    help: 'The hour when the summary of the previous day is sent. If Faxdesk is off then, it is sent when Faxdesk runs again.',
    choices: HOURS,
    default: '06:00',
  }),
  SUMMARY_CONNECTOR: textSetting({
    opens: SUMMARY_SHOWS,
    group,
    label: 'Daily summary by',
    help: 'The name of the e-mail connector that sends the summary. It works even if it is turned off for received faxes.',
    schema: lineOf(LIMITS.connector.name),
    format: 'line',
    most: LIMITS.connector.name,
  }),
};
