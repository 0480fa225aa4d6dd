import { z } from 'zod';
import { localHostReason } from '../../platform/outside-address.ts';
import { trimEnd } from '../../platform/trim-end.ts';

const MAX_LENGTH = 500;

/**
 * Returns the problem of a base address; null when it can precede a path: the callback addresses of providers are
 * built from it.
 */
function problemOfBase(text: string): string | null {
  const url = text.length <= MAX_LENGTH && !/\s/u.test(text) ? URL.parse(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be a web address such as https://fax.example.com';
  if (url.username || url.password) return 'must not contain a password';
  if (/[?#]/u.test(text)) return 'must not contain a query';
  if (url.protocol === 'http:' && localHostReason(url.hostname) === null)
    return 'must use https:// unless it is in your own network';
  return null;
}

/**
 * A public base address: HTTPS, or HTTP for loopback, private addresses and names of the own network. Slashes at its end
 * are taken off, so that a path can follow.
 */
export const baseAddress: z.ZodType<string> = z
  .string('must be a web address')
  .transform((text) => trimEnd(text, '/'))
  .superRefine((text, context) => {
    const problem = problemOfBase(text);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });

const ORIGIN_ERROR = 'must contain origins such as https://fax.example.com, without a path';

/** Scheme, host and port, exactly as a browser sends them. */
export const browserOrigin: z.ZodType<string> = z.string(ORIGIN_ERROR).refine((text) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === text;
}, ORIGIN_ERROR);
