import type { Announcements } from '../../platform/announcements.ts';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import type { Caller } from '../access/service.ts';
import { type InboundService, mayReadFax } from '../inbound/service.ts';
import type { OpenFax, Person, PresenceAnswer } from './types.ts';
import { createViewers, type Viewers } from './viewers.ts';

interface PresenceParts {
  readonly clock: Clock;
  readonly inbound: Pick<InboundService, 'readable'>;
  readonly onChange: (fax: OpenFax) => void;
  readonly announcements: Announcements;
}

const TOPIC = 'presence';
/** A window, the person at it, and the fax that it has open; null for none. */
interface Announced {
  readonly person: Person;
  readonly window: string;
  readonly fax: OpenFax | null;
}

/** Creates the service: the people at each received fax, in memory. Nothing depends on it. */
export function createPresenceService(parts: PresenceParts): PresenceService {
  return new PresenceService(parts);
}

export type { PresenceService };

class PresenceService {
  readonly #inbound: PresenceParts['inbound'];
  readonly #viewers: Viewers;
  readonly #announcements: Announcements;

  constructor({ clock, inbound, onChange, announcements }: PresenceParts) {
    this.#inbound = inbound;
    this.#viewers = createViewers({ clock, onChange });
    this.#announcements = announcements;
    announcements.on(TOPIC, (facts) => this.#note(facts as Announced));
  }

  /** Throws 403 for callers that are no person, and 404 for a fax the caller may not see. */
  async report(
    caller: Caller,
    { window, faxId }: { window: string; faxId: string | null },
  ): Promise<PresenceAnswer> {
    if (caller.principal.kind !== 'user' || caller.isTest) throw new RefusalError('not_allowed');
    const person = { id: caller.principal.id, name: caller.principal.displayName };
    const note = (fax: OpenFax | null) => {
      const announced: Announced = { person, window, fax };
      this.#note(announced);
      this.#announcements.send(TOPIC, announced);
    };
    note(faxId === null ? null : await this.#readable(caller, faxId, () => note(null)));
    return this.list(caller);
  }

  /** Lists the others at the faxes that the caller may read; none for callers that are no person, and for test keys. */
  list(caller: Caller): PresenceAnswer {
    if (caller.principal.kind !== 'user' || caller.isTest) return { faxes: [] };
    const faxes = [...this.#viewers.listOpenByOthers(caller.principal.id).values()];
    return {
      faxes: faxes
        .filter(({ fax }) => mayReadFax(caller, fax))
        .map(({ fax, people }) => ({
          id: fax.id,
          people: people.map(({ person, since }) => ({ ...person, since: isoTime(since) })),
        })),
    };
  }

  expire(): void {
    this.#viewers.expire();
  }

  #note({ fax, ...report }: Announced): void {
    if (fax === null) this.#viewers.leave(report);
    else this.#viewers.open(report, fax);
  }

  async #readable(caller: Caller, faxId: string, onRefused: () => void): Promise<OpenFax> {
    try {
      return await this.#inbound.readable(caller, faxId);
    } catch (error) {
      onRefused();
      throw error;
    }
  }
}
