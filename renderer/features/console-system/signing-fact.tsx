import { useQuery } from '@tanstack/react-query';
import { signingRoutes } from '../../../shared/api/signing.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { origin } from '../../api/client.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/house.ts';
import { Fact } from './facts.tsx';

const { signing } = createRooms({ signing: signingRoutes }, origin);

/** By which whoever checks an evidence archive knows that it is from here; shown to those who may read settings. */
export function SigningFact() {
  const mayRead = usePermission('settings:read');
  const keys = useQuery({
    queryKey: ['signing-keys'],
    enabled: mayRead,
    queryFn: ({ signal }) => signing.listSigningKeys({ signal }),
  }).data?.keys;
  const current = keys?.find((key) => key.current);
  if (!mayRead || !current) return null;
  return <Fact name={t.system.health.signingKey}>{current.fingerprint}</Fact>;
}
