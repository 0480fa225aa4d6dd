import type { Seal } from '../../../platform/seal.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundSettings } from '../parts.ts';
import type { Transports } from '../transport.ts';
import type { CapturedRoute, JobRow } from '../types.ts';
import { headerText } from './header.ts';

/** What a fax accepted now captures. Throws a 409 refusal when nothing could be sent with the present settings. */
export function captureRoute(settings: OutboundSettings, transports: Transports): CapturedRoute {
  const active = transports.active();
  if ('refusal' in active) throw new FaxRefusalError(409, active.refusal);
  const organization = settings.organization();
  const ownNumber = settings.ownNumber();
  if (!organization || !ownNumber)
    throw new FaxRefusalError(
      409,
      'Set the name and the fax number of this installation first: every page must show them.',
    );
  return {
    ...active.route,
    headerText: headerText(organization, ownNumber),
    publicUrl: settings.publicUrl(),
    linkMinutes: settings.linkMinutes(),
    configuration: settings.configuration(),
  };
}

const contextOf = (jobId: string) => `fax:${jobId}`;

export function sealRoute(seal: Seal, jobId: string, route: CapturedRoute): string {
  return seal.seal(JSON.stringify(route), contextOf(jobId));
}

export function openRoute(seal: Seal, job: Pick<JobRow, 'id' | 'captured'>): CapturedRoute {
  return JSON.parse(seal.open(job.captured, contextOf(job.id))) as CapturedRoute;
}
