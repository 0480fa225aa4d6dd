import { t } from '../../texts/index.ts';
import { StateWord } from '../../ui/state-word.tsx';
import { type HeldFax, holdNames } from './hold-fact.tsx';

/** Names the legal holds that keep a fax, beside its state. Nothing for a fax without one. */
export function HoldMark({ fax }: { fax: HeldFax }) {
  if (fax.legal_holds.length === 0) return null;
  return (
    <StateWord tone="plain" icon="lock">
      {t.fax.keptFor(holdNames(fax))}
    </StateWord>
  );
}
