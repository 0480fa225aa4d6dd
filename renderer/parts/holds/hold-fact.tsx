import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Fact } from '../../ui/fact-list.tsx';

export interface HeldFax {
  readonly id: string;
  readonly legal_holds: readonly { readonly id: string; readonly name: string }[];
}

export const holdNames = ({ legal_holds }: HeldFax): string => legal_holds.map(({ name }) => name).join(', ');

/** Names the legal holds that keep a fax, unless they are named beside its state, and offers to place one. */
export function HoldFact({ fax, isNamed = true }: { fax: HeldFax; isNamed?: boolean }) {
  const mayManage = usePermission('holds:manage');
  const isKept = isNamed && fax.legal_holds.length > 0;
  if (!isKept && !mayManage) return null;
  const { legalHold, keptFor, placeHold } = t.fax;
  return (
    <Fact name={legalHold}>
      {isKept && <p>{keptFor(holdNames(fax))}</p>}
      {mayManage && (
        <Link to="/system/{-$systemPage}" params={{ systemPage: 'holds' }} search={{ of: fax.id }}>
          {placeHold}
        </Link>
      )}
    </Fact>
  );
}
