import { useQuery } from '@tanstack/react-query';
import { openedAddress } from '../../../api/page-token.ts';
import { ownCardQuery } from '../../../api/partners.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/partners.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DownloadLink } from '../../../ui/download-link.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { QrPicture } from '../../../ui/qr-picture.tsx';
import { groupedFingerprint } from './fingerprint.ts';
import styles from './partners.module.css';

const words = t.partners.card;

/** Shows the card of this installation, to be copied or scanned. */
export function OwnCardDialog({ onClose }: { onClose: () => void }) {
  const phone = usePhoneFormat();
  const found = useQuery(ownCardQuery);
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      actions={
        <Button variant="primary" autoFocus onPress={onClose}>
          {words.done}
        </Button>
      }
    >
      <div className={styles['stack']}>
        <p>{words.sentence}</p>
        <LoadProblem of={found} />
        {found.data && (
          <>
            <FactList wordWidth={104}>
              <Fact name={words.organization}>{found.data.card.organization}</Fact>
              <Fact name={words.number}>
                <span dir="ltr">{phone(found.data.card.fax_number)}</span>
              </Fact>
              <Fact name={words.address}>{found.data.card.endpoint}</Fact>
              <Fact name={words.fingerprint} isMono>
                {groupedFingerprint(found.data.fingerprint)}
              </Fact>
            </FactList>
            <CopyField label={words.text} value={found.data.text} />
            <div>
              <DownloadLink href={openedAddress('/direct/card/file')}>{words.save}</DownloadLink>
            </div>
            <div className={styles['qr']}>
              <QrPicture text={found.data.text} label={words.qr} isLong />
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
