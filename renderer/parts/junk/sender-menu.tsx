import { useState } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { NotJunkDialog } from './not-junk-dialog.tsx';
import { useAfterClose } from './use-after-close.ts';

/** Menu of an open fax: block its sender or, in Junk, take it out again. Nothing for who may not. */
export function SenderMenu({ fax, onActed }: { fax: InboundFax; onActed: () => void }) {
  const mayBlock = usePermission('senders:block');
  return mayBlock ? <AllowedMenu fax={fax} onActed={onActed} /> : null;
}

function AllowedMenu({ fax, onActed }: { fax: InboundFax; onActed: () => void }) {
  /** Fax whose dialog is open: the menu stays while another fax is opened, the dialog does not. */
  const [openFor, setOpenFor] = useState<string | null>(null);
  const isOpen = openFor === fax.id;
  const act = fax.junk
    ? ({ id: 'not-junk', label: t.junk.notJunk.menu, icon: 'inbox' } as const)
    : ({ id: 'block-sender', label: t.junk.block.menu, icon: 'block' } as const);
  const entry = { ...act, run: () => setOpenFor(fax.id) };
  useActions(t.inbox.thisFax, [entry]);
  const close = () => setOpenFor(null);
  const afterClose = useAfterClose(onActed);
  const acted = () => {
    close();
    afterClose();
  };
  return (
    <>
      <Menu label={t.junk.more} entries={[entry]}>
        <IconButton icon="more" label={t.junk.more} />
      </Menu>
      {isOpen &&
        (fax.junk ? (
          <NotJunkDialog fax={fax} onClose={close} onActed={acted} />
        ) : (
          <BlockDialog fax={fax} onClose={close} onActed={acted} />
        ))}
    </>
  );
}
