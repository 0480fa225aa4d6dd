import { useState } from 'react';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DetailsFacts, DetailsSection } from '../details/details.tsx';
import { type Mailbox, useWorkSettings } from './mailbox-queries.ts';
import { WorkTargetDialog } from './work-target-dialog.tsx';
import { canTakeOver, hoursWords } from './work-target-words.ts';

const words = t.access.mailbox;

/** Shows the acknowledgement target of a mailbox and its backup person. */
export function WorkTarget({ mailbox, mayChange }: { mailbox: Mailbox; mayChange: boolean }) {
  const settings = useWorkSettings();
  const [isChanging, setChanging] = useState(false);
  const shown = settings.data?.mailboxes.find(({ mailbox_id }) => mailbox_id === mailbox.id);
  const change = mayChange && shown && <Button onPress={() => setChanging(true)}>{words.workChange}</Button>;
  return (
    <DetailsSection title={words.work} aside={change}>
      <LoadProblem of={settings} />
      {shown && settings.data && (
        <>
          <DetailsFacts
            facts={[
              [words.target, targetWords(shown.acknowledge_hours, settings.data.acknowledge_hours)],
              [words.backup, shown.backup?.name ?? words.noBackup],
            ]}
          />
          {shown.backup && !canTakeOver(shown) && (
            <Notice tone="warn" title={words.backupUnableTitle(shown.backup.name)}>
              {words.backupUnableSentence}
            </Notice>
          )}
          {isChanging && (
            <WorkTargetDialog
              work={shown}
              installationHours={settings.data.acknowledge_hours}
              onClose={() => setChanging(false)}
            />
          )}
        </>
      )}
    </DetailsSection>
  );
}

function targetWords(own: number | null, installation: number): string {
  return own === null ? words.ofInstallation(hoursWords(installation)) : hoursWords(own);
}
