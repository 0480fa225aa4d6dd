import { StoreMovedError } from './errors.ts';
import { MOVES, type MoveRecord, type OwnGateway } from './types.ts';

/** Checks that a store is not being filled and that the installation has not left it. Throws StoreMovedError. */
export function checkMove({ works_with }: Pick<OwnGateway, 'works_with'>, record: MoveRecord | null): void {
  if (works_with === MOVES || record === null) return;
  const sentence = moveSentence(record);
  if (sentence !== null) throw new StoreMovedError(sentence);
}

/** Returns a sentence that says why no gateway may work on a store with this mark; null when one may. */
export function moveSentence({ state, place, at }: MoveRecord): string | null {
  switch (state) {
    case 'arriving':
      return `An installation is being moved here from ${place}, and not all of it has arrived. Run faxdesk move again to finish the move.`;
    case 'moved':
      return `This installation was moved to ${place} at ${at}. Start Faxdesk there: started here as well, it would send faxes twice. If the move was a mistake, run faxdesk move --take-back.`;
    case 'arrived':
      return null;
    default:
      return state satisfies never;
  }
}
