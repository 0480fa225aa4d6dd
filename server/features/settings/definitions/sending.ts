import { z } from 'zod';
import { LIMITS } from '../../../../shared/limits.ts';
import { VISIBLE_LINE } from '../../../../shared/visible-text.ts';
import { parseCheapHours } from '../../../platform/cheap-hours.ts';
import { isCountry, toE164 } from '../../../platform/phone-number.ts';
import {
  booleanSetting,
  choiceSetting,
  listSetting,
  numberSetting,
  pathSetting,
  textSetting,
} from '../../../platform/setting-kinds.ts';
import { visibleLineOf } from './line-schemas.ts';

const NUMBER_ERROR = 'must be a fax number with + and the country code';

/** Schema of a number of this installation, with + and the country code. The value is in E.164. */
export const ownNumber = z.string(NUMBER_ERROR).transform((text, context) => {
  const number = text.trim().startsWith('+') ? toE164(text, 'US') : null;
  if (number !== null) return number;
  context.addIssue({ code: 'custom', message: NUMBER_ERROR });
  return z.NEVER;
});

/** Maximum length that fits beside a field and in a column of a list. */
const REFERENCE_LABEL_LENGTH = 30;
const OPT_OUT_LINE_LENGTH = 140;

const country = z
  .string('must be a country code')
  .refine((text) => isCountry(text), 'must be a country code of two capital letters, such as US');

const timeZone = z
  .string('must be a time zone')
  .refine((text) => isTimeZone(text), 'must be a time zone name such as Europe/Berlin or UTC');

function isTimeZone(text: string): boolean {
  try {
    // Intl accepts offsets such as +01:00, but they do not follow summer time.
    return /^[A-Za-z]/u.test(text) && Boolean(new Intl.DateTimeFormat('en', { timeZone: text }));
  } catch {
    return false;
  }
}

const automaticTries = numberSetting({
  group: 'Sending',
  label: 'Try again automatically',
  help: `Number of times a fax is tried again, ${LIMITS.tryAgainMinutes} minutes apart, if the number was busy or nobody answered and it is certain that no page was sent. 0 means never.`,
  least: 0,
  most: LIMITS.automaticTries,
  default: 0,
});

const callsPerNumber = numberSetting({
  group: 'Sending',
  label: 'Simultaneous calls to one number',
  help: 'Maximum number of your own phone lines that send to the same fax number at the same time. Other faxes to that number wait. Fax providers handle this themselves.',
  least: 1,
  most: LIMITS.callsPerNumber,
  default: 1,
});

const LOGIN_ERROR = 'must be a sign-in name or the id of an API key';
const sendsFor = z
  .string(LOGIN_ERROR)
  .trim()
  .min(1, LOGIN_ERROR)
  .max(LIMITS.loginLength, LOGIN_ERROR)
  .regex(VISIBLE_LINE, LOGIN_ERROR)
  // A secret that was pasted must not be stored where settings are shown.
  .refine((text) => !/^key_(?:live|test)_/u.test(text), 'must be the id of an API key, not its secret');

const sendFolder = {
  SEND_FOLDER: pathSetting({
    opens: ['fax:send'],
    group: 'Sending',
    label: 'Send folder',
    help: 'Files left here are sent: “letter__+12025550123.pdf”, or with a .json of the same name. Then they are moved to “sent” or “failed”. A relative path is in the folder "send" of the data folder.',
    kind: 'folder',
    own: 'send',
  }),
  SEND_FOLDER_FOR: textSetting({
    opens: ['fax:send', 'users:manage'],
    group: 'Sending',
    label: 'Send folder sends for',
    help: 'The sign-in name of the person, or the id of the API key, that files in the send folder are sent for, with their permissions. Anyone who can write to the folder sends faxes in their name.',
    schema: sendsFor,
    format: 'line',
    most: LIMITS.loginLength,
  }),
  SEND_FOLDER_MAILBOX: textSetting({
    opens: ['fax:send'],
    group: 'Sending',
    label: 'Mailbox of the send folder',
    help: 'The mailbox that files in the send folder are sent for, unless the .json file next to them has another. Needed only if their sender can send for several.',
    schema: visibleLineOf(LIMITS.displayNameLength),
    format: 'line',
    most: LIMITS.displayNameLength,
  }),
};

const about = {
  REFERENCE_LABEL: textSetting({
    group: 'Sending',
    label: 'Name of the reference',
    help: 'What your office calls the reference of a fax, such as Patient, Matter or Order.',
    schema: visibleLineOf(REFERENCE_LABEL_LENGTH),
    format: 'line',
    most: REFERENCE_LABEL_LENGTH,
    default: 'Reference',
  }),
  DOCUMENT_TYPES: listSetting({
    group: 'Sending',
    label: 'Document types',
    help: 'Types that are offered for a fax, such as Referral, Lab result or Invoice. People can enter other types too.',
    entry: visibleLineOf(LIMITS.about.documentType),
    format: 'line',
    default: ['Letter', 'Form', 'Order', 'Invoice', 'Prescription', 'Referral', 'Report'],
  }),
};

const defaultCountry = textSetting({
  // Other people's faxes to numbers without a country code go to another country.
  opens: ['routing:manage'],
  group: 'Sending',
  label: 'Country',
  help: 'The country of fax numbers that are typed without a country code.',
  schema: country,
  format: 'country',
  default: 'US',
});

const timeZoneOfDays = textSetting({
  // The zone decides when a day of the spending limits begins.
  opens: ['routing:manage'],
  group: 'Sending',
  label: 'Time zone',
  help: 'The time zone for header lines and reports. If empty, this computer’s time zone.',
  schema: timeZone,
  format: 'time_zone',
});

/** Line on the pages of broadcasts, which some countries require. */
const optOutLine = {
  OPT_OUT_LINE: textSetting({
    group: 'Sending',
    label: 'Opt-out line of broadcasts',
    help: 'Printed on every fax to several recipients, for example: To stop faxes from us, call 202 555 0100. If empty, nothing is printed.',
    schema: visibleLineOf(OPT_OUT_LINE_LENGTH),
    format: 'line',
    most: OPT_OUT_LINE_LENGTH,
  }),
  OPT_OUT_PAGE: choiceSetting<'first' | 'last'>({
    group: 'Sending',
    label: 'Page of the opt-out line',
    help: 'The line is printed at the top of that page, where it covers nothing. A cover page is the first page.',
    choices: ['first', 'last'],
    default: 'first',
  }),
};

const CHEAP_HOURS_ERROR = 'must be days and times such as Mon-Fri 18:00-08:00';
const cheapHours = listSetting({
  group: 'Sending',
  label: 'Cheap hours',
  help: 'Days and times when calls are cheap, such as Mon-Fri 18:00-08:00 or Sat,Sun 00:00-24:00, by the time zone above. Faxes that are sent in cheap hours wait for them.',
  entry: z
    .string(CHEAP_HOURS_ERROR)
    .trim()
    .max(60, CHEAP_HOURS_ERROR)
    .refine((text) => parseCheapHours(text).length > 0, CHEAP_HOURS_ERROR),
  format: 'line',
  default: [],
});

/** Settings of sending. `backends` are the choices for the provider. */
export const sendingSettings = (backends: readonly string[]) => ({
  FAX_BACKEND: choiceSetting({
    opens: ['providers:write'],
    group: 'Sending',
    label: 'Fax provider',
    help: 'The company that sends your faxes, or your own phone line (sip). Until you choose one, nothing can be sent.',
    choices: backends,
    default: null,
    alias: 'backend',
  }),
  FAX_DISABLED: booleanSetting({
    group: 'Sending',
    label: 'Hold all faxes',
    help: 'New faxes are held until someone sends them. Turning this off again does not send them.',
    default: false,
  }),
  FAX_AUTOMATIC_TRIES: automaticTries,
  FAX_CALLS_PER_NUMBER: callsPerNumber,
  FAX_DEFAULT_COUNTRY: defaultCountry,
  ...about,
  FAX_ORGANIZATION: textSetting({
    group: 'Sending',
    label: 'Organization',
    help: 'The name in the header line of every page.',
    schema: visibleLineOf(LIMITS.headerTextLength),
    format: 'line',
    most: LIMITS.headerTextLength,
  }),
  HEADER_PER_PERSON: booleanSetting({
    group: 'Sending',
    label: 'Own names of people in the header line',
    help: 'In My settings, a person can have their own name printed in place of the organization. The number, the time and the page stay. If off, every fax has the name of the organization.',
    default: true,
  }),
  FAX_NUMBER: textSetting({
    // Faxes to it go to the inbox and not to the provider, as with own numbers of routes.
    opens: ['routing:manage'],
    group: 'Sending',
    label: 'Own fax number',
    help: 'The number in the header line of every page, with + and the country code. A fax to it arrives in the inbox without a call while receiving is on.',
    schema: ownNumber,
    format: 'phone_number',
  }),
  MAX_FILE_SIZE_MB: numberSetting({
    group: 'Sending',
    label: 'Largest upload',
    help: 'The largest document that is accepted, in megabytes.',
    least: 1,
    most: LIMITS.fileSizeMb,
    default: 25,
  }),
  ...sendFolder,
  TIME_ZONE: timeZoneOfDays,
  CHEAP_HOURS: cheapHours,
  ...optOutLine,
});
