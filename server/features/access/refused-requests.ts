import { LIMITS } from '../../../shared/limits.ts';
import type { Authenticator } from '../../http/caller.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { type CountedEvents, recordedActor } from '../audit/service.ts';
import { actorOf } from './authenticated-caller.ts';

/** Maximum targets that are named for one caller and route within an hour; the others are counted together. */
const MOST_TARGETS = 20;
/** Ids, as they may stand in the audit; anything else that stands in an address may be a slip, or a secret. */
const ID_FORM = /^[\w.:-]+$/u;

/**
 * Puts refused requests into the security audit: who asked for what, of what, and why it was refused. Nothing of the
 * request but the id in its address is recorded. Equal ones of an hour are counted.
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
    if (ids.size < MOST_TARGETS) ids.add(id);
    return ids.has(id);
  };
}
