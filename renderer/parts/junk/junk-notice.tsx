import { useState } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import received from '../received/received-fax.module.css';
import { NotJunkDialog } from './not-junk-dialog.tsx';
import { useAfterClose } from './use-after-close.ts';

/** Above the pages of a fax in Junk: what that means, and the way out. Nothing for any other fax. */
export function JunkNotice({ fax, onActed }: { fax: InboundFax; onActed: () => void }) {
  const mayBlock = usePermission('senders:block');
  const [isAsked, setAsked] = useState(false);
  const afterClose = useAfterClose(onActed);
  if (!fax.junk) return null;
  const acted = () => {
    setAsked(false);
    afterClose();
  };
  return (
    <div className={received['problem']}>
      <Notice
        tone="plain"
        icon="block"
        title={t.junk.notJunk.notice}
        action={mayBlock && <Button onPress={() => setAsked(true)}>{t.junk.notJunk.button}</Button>}
      />
      {isAsked && <NotJunkDialog fax={fax} onClose={() => setAsked(false)} onActed={acted} />}
    </div>
  );
}
