import { useQuery } from '@tanstack/react-query';
import { signingRoutes } from '../../../shared/api/signing.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { origin } from '../../api/client.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/house.ts';
import { Fact } from './facts.tsx';

const { signing } = createRooms({ signing: signingRoutes }, origin);

/**
 * Shows the fingerprint of the key that signs evidence archives, by which their recipients recognize this installation.
 * Visible with the permission to read settings.
 */
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
