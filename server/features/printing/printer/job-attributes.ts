import type { IppAttribute } from '../../../platform/ipp/message.ts';
import { attribute, dateTime, noValue } from '../../../platform/ipp/values.ts';
import type { Printout } from './job-table.ts';

/** Names of the attributes that every answer about a new job has. */
export const CREATED_ATTRIBUTES = [
  'job-uri',
  'job-id',
  'job-state',
  'job-state-reasons',
  'job-state-message',
];

/**
 * Returns the attributes of a job. `uri` is that of the printer, `startedAt` the start of the printer. Programs of other accounts may
 * ask: no answer has the name of a document, and the account only its own name.
 */
export function jobAttributes(
  job: Printout,
  {
    uri,
    user,
    startedAt,
    now,
  }: {
    readonly uri: string;
    readonly user: string | null;
    readonly startedAt: number;
    readonly now: number;
  },
): IppAttribute[] {
  const seconds = (time: number) => Math.max(0, Math.floor((time - startedAt) / 1_000));
  const at = (name: string, time: number | null) => [
    time === null ? noValue(`time-at-${name}`) : attribute(`time-at-${name}`, 'integer', seconds(time)),
    time === null
      ? noValue(`date-time-at-${name}`)
      : attribute(`date-time-at-${name}`, 'dateTime', dateTime(time)),
  ];
  const pages = job.pages ?? 0;
  const kilobytes = Math.ceil(job.sizeBytes / 1024);
  return [
    attribute('job-uri', 'uri', `${uri}/${job.number}`),
    attribute('job-id', 'integer', job.number),
    attribute('job-printer-uri', 'uri', uri),
    attribute('job-name', 'name', `Document ${job.number}`),
    attribute(
      'job-originating-user-name',
      'name',
      job.user !== null && job.user === user ? job.user : 'anonymous',
    ),
    attribute('job-state', 'enum', job.state),
    attribute('job-state-reasons', 'keyword', job.reason),
    attribute('job-state-message', 'text', job.message),
    attribute('job-printer-up-time', 'integer', Math.max(1, seconds(now))),
    attribute('job-impressions', 'integer', pages),
    attribute('job-impressions-completed', 'integer', pages),
    attribute('job-media-sheets', 'integer', pages),
    attribute('job-media-sheets-completed', 'integer', pages),
    attribute('job-k-octets', 'integer', kilobytes),
    attribute('job-k-octets-processed', 'integer', kilobytes),
    attribute('number-of-documents', 'integer', job.pages === null ? 0 : 1),
    ...at('creation', job.createdAt),
    ...at('processing', job.processingAt),
    ...at('completed', job.completedAt),
    ...job.template,
  ];
}
