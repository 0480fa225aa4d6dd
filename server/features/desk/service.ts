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
  /** Returns the name that the person who calls set for the header line of their faxes; null for that of the office. */
  headerNameOf(caller: Caller): Promise<string | null>;
  readonly signatures: Signatures;
}

const NONE: PersonDefaults = { coverId: null, signature: null };

export function createDeskService(parts: Pick<DeskParts, 'db' | 'seal' | 'audit' | 'settings'>): DeskService {
  return {
    async defaultsOf(caller) {
      if (caller.principal.kind !== 'user') return NONE;
      const { cover_id, signature } = await readDefaults(parts, parts.db.read, caller);
      return { coverId: cover_id, signature };
    },
    async headerNameOf(caller) {
      if (caller.principal.kind !== 'user') return null;
      const { header_name, header_name_allowed } = await readDefaults(parts, parts.db.read, caller);
      return header_name_allowed ? header_name : null;
    },
    signatures: {
      own: (caller, named) => ownPictures(parts, caller, named),
      recordPlaced: (tx, caller, use) => recordPlaced(parts, tx, caller, use),
    },
  };
}
