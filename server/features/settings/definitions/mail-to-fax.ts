import { z } from 'zod';
import { COVER_WORDS } from '../../../../shared/api/mail-to-fax.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { MAIL_SECURITY } from '../../../../shared/mail-server.ts';
import { choiceSetting, numberSetting, secretSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { lineOf } from './line-schemas.ts';

const group = 'E-mail to fax';
const COVER_LENGTH = 500;
const COVER_TEMPLATE = new RegExp(`^(?:[^{}]|\\{(?:${COVER_WORDS.join('|')})\\})*$`, 'u');
const COVER_RULE = `can have ${COVER_WORDS.map((word) => `{${word}}`).join(', ')} and nothing else in braces`;
const ADDRESSES = /^[^\s@,;<>"]+@[^\s@,;<>"]+(?:, ?[^\s@,;<>"]+@[^\s@,;<>"]+)*$/u;

const HOST_ERROR = 'must be a server name or an address such as imap.example.com';
const host = z
  .string(HOST_ERROR)
  .max(255, HOST_ERROR)
  .regex(/^[\p{L}\p{N}._:-]+$/u, HOST_ERROR);

export const mailToFaxSettings = {
  MAIL_TO_FAX_HOST: textSetting({
    opens: ['fax:send'],
    group,
    label: 'E-mail server',
    help: 'The IMAP server of the mailbox whose messages are sent as faxes. Without one, no mailbox is read.',
    schema: host,
    format: 'line',
    most: 255,
  }),
  MAIL_TO_FAX_PORT: numberSetting({
    opens: ['fax:send'],
    group,
    label: 'Port of the e-mail server',
    help: 'Usually 993 with TLS and 143 with STARTTLS.',
    least: 1,
    most: 65_535,
    default: 993,
  }),
  MAIL_TO_FAX_SECURITY: choiceSetting({
    opens: ['fax:send'],
    group,
    label: 'Encryption of the e-mail server',
    help: 'Encryption of the connection. No encryption is possible only for a server on this computer.',
    choices: MAIL_SECURITY,
    default: 'tls',
  }),
  MAIL_TO_FAX_USER: textSetting({
    opens: ['fax:send'],
    group,
    label: 'Sign-in name at the e-mail server',
    help: 'Often the address of the mailbox.',
    schema: lineOf(200),
    format: 'line',
    most: 200,
  }),
  MAIL_TO_FAX_PASSWORD: secretSetting({
    opens: ['fax:send'],
    group,
    label: 'Password at the e-mail server',
    help: 'The password of the mailbox, or one that its provider issues for programs.',
  }),
  MAIL_TO_FAX_ADDRESS: textSetting({
    opens: ['fax:send'],
    group,
    label: 'Address of the mailbox',
    help: 'The address that people write to, such as fax@office.example. Separate several with commas. Only messages with one of them in To or Cc become faxes. Empty means the sign-in name.',
    schema: lineOf(1000).and(
      z.string().regex(ADDRESSES, 'must be e-mail addresses with commas between them'),
    ),
    format: 'line',
    most: 1000,
  }),
  MAIL_TO_FAX_FOLDER: textSetting({
    opens: ['fax:send'],
    group,
    label: 'Folder that is read',
    help: 'Messages in this folder of the mailbox are sent as faxes. Then they are moved to “Faxdesk sent” or “Faxdesk refused”.',
    schema: lineOf(200),
    format: 'line',
    most: 200,
    default: 'INBOX',
  }),
  MAIL_TO_FAX_MB: numberSetting({
    group,
    label: 'Largest message',
    help: 'Messages larger than this many megabytes are refused without being read.',
    least: 1,
    most: 100,
    default: 50,
  }),
  MAIL_TO_FAX_COVER: textSetting({
    opens: ['fax:send'],
    group,
    label: 'Cover page',
    help: 'A page before the attachments, such as: To {to_number} | From {sender} | {text}. A vertical line begins a new line; {subject} is allowed too. Text is faxed only with {text}. Empty means no cover page.',
    schema: lineOf(COVER_LENGTH).and(z.string().regex(COVER_TEMPLATE, COVER_RULE)),
    format: 'line',
    most: COVER_LENGTH,
  }),
  MAIL_TO_FAX_REPLY_CONNECTOR: textSetting({
    opens: ['fax:send'],
    group,
    label: 'Reply to senders by',
    help: 'The name of the e-mail connector that sends the replies. It works even if it is turned off for received faxes. Without one, senders get no replies.',
    schema: lineOf(LIMITS.connector.name),
    format: 'line',
    most: LIMITS.connector.name,
  }),
  MAIL_TO_FAX_TRUSTED_SERVER: textSetting({
    opens: ['fax:send', 'users:manage'],
    group,
    label: 'Server that checks senders',
    help: 'The name that your e-mail server writes first in Authentication-Results. Faxdesk trusts its DMARC result. Set this only if the server removes such lines from incoming messages.',
    schema: lineOf(255),
    format: 'line',
    most: 255,
  }),
};
