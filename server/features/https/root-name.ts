import { randomToken } from '../../platform/ids.ts';

/** Makes the name of a new root certificate, e.g. `Faxdesk Example Clinic 7K2M9Q`, so that two can be distinguished. */
export function newRootName(organization: string | null): string {
  return `Faxdesk ${shorten(organization ?? '')}${randomId()}`;
}

/** Some room is left for the rest of the name. */
function shorten(organization: string): string {
  const short = [...organization].slice(0, 40).join('').trim();
  return short === '' ? '' : `${short} `;
}

function randomId(): string {
  return randomToken(60).replaceAll(/[-_]/gu, '').slice(0, 6).toUpperCase();
}
