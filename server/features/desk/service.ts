import type { Caller } from '../access/service.ts';
import { readDefaults } from './defaults.ts';
import type { DeskParts } from './parts.ts';

/** Defaults that the gateway applies to every fax of a person. */
interface PersonDefaults {
  /** ID of a cover page, which may be removed by now; null for none. */
  readonly coverId: string | null;
  /** Sender on cover pages; null for the name of the person. */
  readonly signature: string | null;
}

export interface DeskService {
  /** Returns those of the person who calls. Programs have none. */
  defaultsOf(caller: Caller): Promise<PersonDefaults>;
}

const NONE: PersonDefaults = { coverId: null, signature: null };

export function createDeskService(parts: Pick<DeskParts, 'db' | 'seal'>): DeskService {
  return {
    async defaultsOf({ principal }) {
      if (principal.kind !== 'user') return NONE;
      const { cover_id, signature } = await readDefaults(parts, parts.db.read, principal.id);
      return { coverId: cover_id, signature };
    },
  };
}
