import { numberSetting } from '../../../platform/setting-kinds.ts';

const MAX_PER_MINUTE = 100_000;
const WEEK_IN_MINUTES = 10_080;
const perMinute = { group: 'Limits', least: 0, most: MAX_PER_MINUTE, default: 0 } as const;

export const limitSettings = {
  MAX_REQUESTS_PER_MINUTE: numberSetting({
    ...perMinute,
    label: 'Requests per minute',
    help: 'Maximum number of requests per minute with one API key. 0 means no limit.',
  }),
  INBOUND_LIST_RPM: numberSetting({
    ...perMinute,
    label: 'Inbox lists per minute',
    help: 'Maximum number of lists of received faxes per minute with one API key. 0 means no limit.',
  }),
  INBOUND_GET_RPM: numberSetting({
    ...perMinute,
    label: 'Inbox reads per minute',
    help: 'Maximum number of received faxes that one API key can read per minute. 0 means no limit.',
  }),
  PDF_TOKEN_TTL_MINUTES: numberSetting({
    group: 'Limits',
    label: 'Document link lifetime',
    help: 'Time in minutes that the fax provider has to download a document.',
    least: 1,
    most: WEEK_IN_MINUTES,
    default: 60,
  }),
  ARTIFACT_TTL_DAYS: numberSetting({
    opens: ['fax:document'],
    group: 'Cleanup',
    label: 'Keep sent documents',
    help: 'The pages of sent faxes are deleted this many days after they ended. The entry in Sent stays. 0 keeps them.',
    least: 0,
    most: 36_500,
    default: 0,
  }),
  DRAFT_DAYS: numberSetting({
    group: 'Cleanup',
    label: 'Keep saved drafts',
    help: 'Drafts that a person saved for later are deleted after this many days. Templates stay. 0 keeps the drafts.',
    least: 0,
    most: 36_500,
    default: 90,
  }),
  CLEANUP_INTERVAL_MINUTES: numberSetting({
    group: 'Cleanup',
    label: 'Time between cleanups',
    help: 'The number of minutes before Faxdesk deletes expired documents again.',
    least: 1,
    most: WEEK_IN_MINUTES,
    default: 1440,
  }),
};
