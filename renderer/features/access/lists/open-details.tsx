import type { ReactNode } from 'react';
import type { AccessRows } from './access-rows.ts';
import { MissingEntry } from './missing-entry.tsx';

/** The details of the row that is open, for `ListPanes`; null while none is. */
export function openDetails<Item extends { readonly id: string }>(
  on: { id: string | undefined; pages: AccessRows<Item>; label: string; onClose: () => void },
  details: (item: Item) => ReactNode,
): ReactNode {
  const { id, pages, label, onClose } = on;
  if (id === undefined || pages.isOpening) return null;
  const open = pages.items.find((item) => item.id === id);
  return open ? details(open) : <MissingEntry label={label} onClose={onClose} />;
}
