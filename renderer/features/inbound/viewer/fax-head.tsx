import type { InboundFax } from '../../../api/inbound.ts';
import { pagesOf, senderOf } from '../../../parts/received/fax-words.ts';
import styles from '../../../parts/received/received-fax.module.css';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { formatWhen, usePhoneFormat } from '../../../ui/format.ts';

/** From whom, and in one line how much, when and where it belongs. */
export function FaxHead(props: {
  fax: InboundFax;
  isDrawerOpen: boolean;
  onDrawer: () => void;
  onClose: () => void;
}) {
  const { fax, isDrawerOpen, onDrawer, onClose } = props;
  const phone = usePhoneFormat();
  const words = t.inbox.viewer;
  const when = formatWhen(fax.received_at);
  const facts = [
    fax.contact && phone(fax.fr),
    pagesOf(fax),
    fax.status === 'received' ? words.received(when) : words.announced(when),
    fax.mailbox,
  ].filter((it) => it !== null);
  return (
    <header className={styles['head']}>
      <span className={styles['back']}>
        <IconButton icon="back" label={words.close} onPress={onClose} />
      </span>
      <div className={styles['names']}>
        <h2 className={styles['title']}>{senderOf(fax, phone)}</h2>
        <p className={styles['facts']} title={facts.join(' · ')}>
          {facts.join(' · ')}
        </p>
      </div>
      <IconButton icon="panel" label={words.details} isOn={isDrawerOpen} onPress={onDrawer} />
    </header>
  );
}
