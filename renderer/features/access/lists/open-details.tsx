import type { ReactNode } from 'react';
import { Gone } from './gone.tsx';
import type { Pages } from './pages.ts';

/** The details of the row that is open, for `PartPanes`; null while none is. */
export function openDetails<Item extends { readonly id: string }>(
  on: { id: string | undefined; pages: Pages<Item>; label: string; onClose: () => void },
  details: (item: Item) => ReactNode,
): ReactNode {
  const { id, pages, label, onClose } = on;
  if (id === undefined || pages.isOpening) return null;
  const open = pages.items.find((item) => item.id === id);
  return open ? details(open) : <Gone label={label} onClose={onClose} />;
}
