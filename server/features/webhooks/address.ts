import { localHostReason } from '../../platform/outside-address.ts';

/**
 * Returns a sentence that says why events cannot be sent to an address, judged by its text alone; null when they may.
 * Its addresses in the network are checked each time that something is sent.
 */
export function addressProblem(text: string, { allowsPrivate }: { allowsPrivate: boolean }): string | null {
  const url = URL.parse(text);
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    return 'The address must be a web address that begins with https://.';
  if (url.username !== '' || url.password !== '')
    return 'The address must not contain a user name or password. Messages are signed instead.';
  if (url.hash !== '') return 'The address must not contain #.';
  if (allowsPrivate) return null;
  if (url.protocol !== 'https:') return 'The address must begin with https://.';
  const reason = localHostReason(url.hostname);
  return reason === null
    ? null
    : `Events cannot be sent to this address: ${reason}. The setting “Webhooks to private addresses” allows it.`;
}
