import type { List } from '../../../api/lists/list.ts';
import { useList } from '../../../api/lists/use-list.ts';
import { direct, PARTNERS, type Partner } from '../../../api/partners.ts';

export type PartnersList = List<Partner>;

/** All partners, the newest first; read again when one changed. */
export function usePartnersList(): PartnersList {
  return useList({
    key: [PARTNERS, 'list'],
    isShort: true,
    read: async (_request, signal) => ({
      ...(await direct.listPartners({ signal })),
      next_cursor: null,
    }),
  });
}
