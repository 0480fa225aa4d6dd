import { describeInbound, type InboundFax, refetchInbound, storeFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { AboutPart } from '../about/about-part.tsx';

/** Part of the details with what a received fax is about. */
export function AboutReceived({ fax }: { fax: InboundFax }) {
  const mayOpen = usePermission('inbound:document') && fax.may_open;
  return (
    <AboutPart
      key={fax.id}
      about={fax}
      mayChange={mayOpen}
      onSave={async (change) => storeFax(await describeInbound(fax.id, change))}
      onStale={() => refetchInbound(fax.id)}
    />
  );
}
