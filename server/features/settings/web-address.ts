import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopbackHost, isPublicAddress } from '../../platform/public-address.ts';

const LONGEST = 500;
const PRIVATE_ENDINGS = ['.local', '.lan', '.internal', '.home.arpa'];

/** Whether a host can only be reached from this computer or its own network, judged by its name alone. */
function isNearHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  if (isLoopbackHost(hostname)) return true;
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return !host.includes('.') || PRIVATE_ENDINGS.some((ending) => host.endsWith(ending));
}

/** Null when the text may stand in front of a path: the callback addresses of providers are built from it. */
function problemOfBase(text: string): string | null {
  const url = text.length <= LONGEST && !/\s/u.test(text) ? URL.parse(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be a web address such as https://fax.example.com';
  if (url.username || url.password) return 'must not hold a password';
  if (/[?#]/u.test(text)) return 'must not hold a query';
  if (text.endsWith('/')) return 'must not end with a slash';
  if (url.protocol === 'http:' && !isNearHost(url.hostname))
    return 'must use https:// unless it is in the own network';
  return null;
}

/** A public base address: HTTPS, or HTTP for loopback, private addresses and names of the own network. */
export const baseAddress: z.ZodType<string> = z
  .string('must be a web address')
  .superRefine((text, context) => {
    const problem = problemOfBase(text);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });

const ORIGIN_ERROR = 'must hold origins such as https://fax.example.com, without a path';

/** Scheme, host and port, exactly as a browser sends them. */
export const browserOrigin: z.ZodType<string> = z.string(ORIGIN_ERROR).refine((text) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === text;
}, ORIGIN_ERROR);
