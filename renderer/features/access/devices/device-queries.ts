import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { useAccessRows } from '../lists/access-rows.ts';

/** Prefix of the name of the integration of a paired device. */
const PREFIX = 'Device: ';
const POLL_MS = 3_000;

export type Device = Awaited<ReturnType<typeof access.people.listIntegrations>>['items'][number];

export const deviceName = ({ display_name }: Device) => display_name.slice(PREFIX.length);

/** Paired devices that may still come in; looked at again and again while one is being paired. */
export function useDevices(isPairing: boolean) {
  return useAccessRows({
    isShort: true,
    key: ['devices'],
    isOn: usePermission('users:read'),
    intervalMs: isPairing && POLL_MS,
    read: async (page, signal) => {
      const query = { ...page, q: PREFIX.trim(), enabled: 'true' };
      const found = await access.people.listIntegrations({ query, signal });
      return { ...found, items: found.items.filter(isDevice) };
    },
  });
}

const isDevice = ({ display_name }: Device) => display_name.startsWith(PREFIX);
