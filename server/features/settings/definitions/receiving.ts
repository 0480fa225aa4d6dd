import { z } from 'zod';
import { LIMITS } from '../../../../shared/limits.ts';
import {
  booleanSetting,
  choiceSetting,
  numberSetting,
  pathSetting,
  secretSetting,
  textSetting,
} from '../../../platform/setting-kinds.ts';

const group = 'Receiving';

export const receivingSettings = {
  INBOUND_ENABLED: booleanSetting({
    group,
    label: 'Receive faxes',
    help: 'Receives faxes from every fax provider whose credentials are set.',
    default: false,
  }),
  INBOUND_POLLING: choiceSetting({
    group,
    label: 'Check for faxes',
    help: 'Faxdesk asks your fax providers for new faxes every minute: always (on), never (off), or only those that cannot report them (auto). With auto, it asks the others every 15 minutes.',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
  }),
  INBOUND_READING: choiceSetting({
    group,
    label: 'Read and unread',
    help: 'Each person has their own unread faxes (personal), or a fax that one person read counts as read for everyone (shared). Both show the people who read it.',
    choices: ['personal', 'shared'],
    default: 'personal',
  }),
  INBOUND_DECODE_PAGES: booleanSetting({
    group,
    label: 'Look for originals',
    help: 'Looks at the pages of each received fax for encoded pages, and recovers the document that they carry.',
    default: true,
  }),
  WORK_ACKNOWLEDGE_HOURS: numberSetting({
    opens: ['mailboxes:manage'],
    group,
    label: 'Acknowledge within',
    help: 'The number of hours that the owner of a received document has to acknowledge it. A mailbox can have its own target. Changes apply only to documents received later. 0 means no target.',
    least: 0,
    most: LIMITS.acknowledgeHours,
    default: 0,
  }),
  WORK_NOTES: textSetting({
    opens: ['mailboxes:manage'],
    group,
    label: 'Notes to choose from',
    help: 'Notes that people can choose when they mark a fax as done, separated by semicolons (;). Notes that your office uses often come first.',
    schema: z.string().max(1_000, 'must be at most 1,000 characters'),
    format: 'line',
    most: 1_000,
    default: 'Filed.; Called the sender back.; Passed on.; No action needed.',
  }),
  TELEPHONY_INBOUND_SECRET: secretSetting({
    opens: ['providers:write'],
    group,
    label: 'Telephone engine secret',
    help: 'Proves that a fax comes from the telephone engine on this computer, which reads the secret from telephony/inbound-secret in the data folder. If empty, Faxdesk creates one.',
  }),
  IMPORT_FOLDER: pathSetting({
    opens: ['work:import'],
    group,
    label: 'Import folder',
    help: 'PDF files left in this folder are imported, with or without a manifest (.json) beside them, and moved to “done” or “refused”. A relative path is in the folder "import" of the data folder.',
    kind: 'folder',
    own: 'import',
  }),
  INBOUND_RETENTION_DAYS: numberSetting({
    opens: ['inbound:document'],
    group: 'Cleanup',
    label: 'Keep received documents',
    help: 'The pages of received faxes are deleted after this many days. The entry in the Inbox stays. 0 keeps them.',
    least: 0,
    most: 36_500,
    default: 0,
  }),
  CALL_LOG_DAYS: numberSetting({
    opens: ['providers:write'],
    group: 'Cleanup',
    label: 'Keep the call log',
    help: 'Calls over the phone line are deleted from the call log after this many days. Their faxes stay. 0 keeps the calls.',
    least: 0,
    most: 36_500,
    default: 365,
  }),
};
