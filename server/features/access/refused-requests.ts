import { LIMITS } from '../../../shared/limits.ts';
import type { Authenticator } from '../../http/caller.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { type CountedEvents, recordedActor } from '../audit/service.ts';
import { actorOf } from './authenticated-caller.ts';

/** Maximum targets that are named for one caller and route within an hour; the others are counted together. */
const MAX_TARGETS = 20;
/** Form of IDs that may be recorded in the audit; other text in an address may be a mistake, or a secret. */
const ID_FORM = /^[\w.:-]+$/u;

/**
 * Records refused requests in the security audit: the caller, the operation, its target and the reason. Only the ID in
 * the address is recorded from the request. Equal refusals within an hour are counted.
 */
export function createRefusedRequests(parts: {
  clock: Clock;
  counted: CountedEvents;
}): Authenticator['recordRefusal'] {
  const isNamed = createFirstOfHour(parts.clock);
  return async ({ caller, route, params, code, requestId }) => {
    if (!route.audited) return;
    const { operation, target, param, own } = route.audited;
    const where = `${route.method} ${route.path}`;
    const id = own ? caller.principal.id : idOf(param === undefined ? undefined : params[param]);
    await parts.counted.count({
      ...recordedActor({ ...actorOf(caller), requestId }),
      operation,
      target: {
        kind: target,
        id: id !== null && isNamed(`${caller.principal.id} ${where}`, id) ? id : null,
      },
      outcome: 'refused',
      details: { reason: code, route: where },
    });
  };
}

function idOf(given: unknown): string | null {
  return typeof given === 'string' && given.length <= LIMITS.idLength && ID_FORM.test(given) ? given : null;
}

/** Returns a function that is true when an ID is among the first of this hour for a name. */
function createFirstOfHour(clock: Clock): (name: string, id: string) => boolean {
  let hour = '';
  const known = new Map<string, Set<string>>();
  return (name, id) => {
    const now = isoTime(clock.now()).slice(0, 13);
    if (now !== hour) known.clear();
    hour = now;
    const ids = known.get(name) ?? new Set();
    known.set(name, ids);
    if (ids.size < MAX_TARGETS) ids.add(id);
    return ids.has(id);
  };
}
