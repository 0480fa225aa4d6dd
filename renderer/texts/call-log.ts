import { callLog } from './en/call-log.ts';
import { t as house } from './house.ts';

/** With the words of the log of calls, which come with the page of the phone line. */
export const t = { ...house, callLog };
