import { useState } from 'react';
import { ARCHIVE_PERMISSIONS } from '../../../shared/permissions.ts';
import { openedAddress } from '../../api/page-token.ts';
import { useInstallationPermissions, usePermission } from '../../api/queries.ts';
import { t } from '../../texts/administration.ts';
import { Choice } from '../../ui/choice.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { ArchiveRemovals } from './archive-removals.tsx';
import { ArchiveViewer } from './archive-viewer.tsx';
import styles from './system.module.css';

const words = t.system.archives;
/** Years that are offered. */
const YEARS = 12;

/** Saves the archive of a past year, says how it is read again, and removes the faxes of one. */
export function ArchivesPage() {
  const held = useInstallationPermissions();
  const mayExport = (['work:export', ...ARCHIVE_PERMISSIONS] as const).every((each) => held.includes(each));
  const isOwner = usePermission('owner:recover');
  const lastYear = new Date().getFullYear() - 1;
  const [year, setYear] = useState(String(lastYear));
  const file = `faxdesk-${year}.zip`;
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title} />
      <PaneBody isPadded label={words.title}>
        <div className={styles['column']}>
          <p className={styles['quiet']}>{words.sentence}</p>
          {mayExport ? (
            <>
              <Choice
                label={words.year}
                options={Array.from({ length: YEARS }, (_, index) => {
                  const id = String(lastYear - index);
                  return { id, label: id };
                })}
                value={year}
                onChange={setYear}
              />
              <p>
                <DownloadLink href={openedAddress(`/archives/${year}`)}>{words.save(year)}</DownloadLink>
              </p>
            </>
          ) : (
            <p className={styles['quiet']}>{words.mayNot}</p>
          )}
          <p className={styles['quiet']}>{words.keepSafe}</p>
          <CopyField label={words.verify} value={`faxdesk archives verify ${file}`} help={words.verifyHelp} />
          <CopyField label={words.list} value={`faxdesk archives list ${file}`} help={words.listHelp} />
          <ArchiveViewer />
          {mayExport && isOwner && <ArchiveRemovals />}
        </div>
      </PaneBody>
    </Pane>
  );
}
