import type { WriteTx } from '../../db/database.ts';
import type { Caller } from '../access/service.ts';
import { readDefaults } from './defaults.ts';
import type { DeskParts } from './parts.ts';
import {
  ownPictures,
  type PlacedSignature,
  recordPlaced,
  type SignaturePicture,
} from './placed-signatures.ts';

export type { PlacedSignature } from './placed-signatures.ts';

/** Defaults that the gateway applies to every fax of a person. */
interface PersonDefaults {
  /** ID of a cover page, which may be removed by now; null for none. */
  readonly coverId: string | null;
  /** Sender on cover pages; null for the name of the person. */
  readonly signature: string | null;
}

/** Signatures and stamps that people put on pages. */
export interface Signatures {
  /** Returns pictures of the caller. Throws a 403 refusal, which is audited, unless all of them are the caller's own. */
  own(
    caller: Caller,
    named: readonly Pick<PlacedSignature, 'id' | 'kind'>[],
  ): Promise<readonly SignaturePicture[]>;
  /** Records in the audit that the caller put them on the pages of a fax or of a broadcast. */
  recordPlaced(
    tx: WriteTx,
    caller: Caller,
    use: {
      readonly placed: readonly PlacedSignature[];
      readonly target: { readonly kind: 'fax' | 'broadcast'; readonly id: string };
    },
  ): Promise<void>;
}

export interface DeskService {
  /** Returns those of the person who calls. Programs have none. */
  defaultsOf(caller: Caller): Promise<PersonDefaults>;
  readonly signatures: Signatures;
}

const NONE: PersonDefaults = { coverId: null, signature: null };

export function createDeskService(parts: Pick<DeskParts, 'db' | 'seal' | 'audit'>): DeskService {
  return {
    async defaultsOf({ principal }) {
      if (principal.kind !== 'user') return NONE;
      const { cover_id, signature } = await readDefaults(parts, parts.db.read, principal.id);
      return { coverId: cover_id, signature };
    },
    signatures: {
      own: (caller, named) => ownPictures(parts, caller, named),
      recordPlaced: (tx, caller, use) => recordPlaced(parts, tx, caller, use),
    },
  };
}
