import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Fact } from '../../ui/fact-list.tsx';

interface HeldFax {
  readonly id: string;
  readonly legal_holds: readonly { readonly id: string; readonly name: string }[];
}

/** Names the legal holds that keep a fax, and offers to place one. */
export function HoldFact({ fax: { id, legal_holds } }: { fax: HeldFax }) {
  const mayManage = usePermission('holds:manage');
  if (legal_holds.length === 0 && !mayManage) return null;
  const { legalHold, keptFor, placeHold } = t.fax;
  return (
    <Fact name={legalHold}>
      {legal_holds.length > 0 && <p>{keptFor(legal_holds.map(({ name }) => name).join(', '))}</p>}
      {mayManage && (
        <Link to="/system/{-$systemPage}" params={{ systemPage: 'holds' }} search={{ of: id }}>
          {placeHold}
        </Link>
      )}
    </Fact>
  );
}
