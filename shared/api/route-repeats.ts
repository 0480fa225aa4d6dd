import { LIMITS } from '../limits.ts';
import type { RouteDefinition } from './route.ts';

/** Header with the key under which a caller may repeat a request. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Description of the header, and of what a repeated request gets. */
export const IDEMPOTENCY_WORDS = `Makes the request safe to repeat: 1 to 128 visible ASCII characters, a new key for each change. A request with the same key and content gets the first answer again, with the header \`Idempotency-Replayed\`; with other content it is refused (409). A key counts for the API key that sent it, or for the signed-in person, and for ${LIMITS.answersKeptHours} hours. A refused request did nothing and can be repeated under its key.`;

/** Returns true for routes that change something on behalf of a caller, and so can be repeated under a key. */
export function isRepeatable({ method, access, path, from }: RouteDefinition): boolean {
  return method !== 'GET' && access !== 'public' && from === undefined && !path.startsWith('/auth/');
}
