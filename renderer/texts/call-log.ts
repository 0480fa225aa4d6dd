import { t as administration } from './administration.ts';
import { callLog } from './en/call-log.ts';

/** With the words of the log of calls, which come with the page of the phone line. */
export const t = { ...administration, callLog };
