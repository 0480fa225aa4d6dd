import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { client } from '../../../api/client.ts';
import { typedNumber } from '../../../parts/settings/typed-number.ts';
import { t } from '../../../texts/access.ts';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatCount } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import type { MailboxWork } from './mailbox-queries.ts';
import { canTakeOver, hoursWords } from './work-target-words.ts';

const words = t.access.mailbox;
const NOBODY = 'nobody';

/** Target and backup person of a mailbox. What is not touched shows what others changed meanwhile. */
export function WorkTargetDialog(props: {
  work: MailboxWork;
  installationHours: number;
  onClose: () => void;
}) {
  const { work, installationHours, onClose } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const text = typed ?? (work.acknowledge_hours === null ? '' : String(work.acknowledge_hours));
  const hours = hoursOf(text);
  const backup = chosen ?? work.backup?.id ?? NOBODY;
  const change = useSaving(() => {
    announce(words.saidWork);
    onClose();
  });
  const submit = () => {
    setChecked(true);
    if (hours === undefined) return;
    change.run({
      mailbox_id: work.mailbox_id,
      acknowledge_hours: hours,
      backup_principal_id: backup === NOBODY ? null : backup,
      version: work.version,
    });
  };
  return (
    <ChangeDialog
      title={words.workTitle(work.label)}
      submit={words.save}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={words.target}
        help={words.targetHelp(hoursWords(installationHours).toLowerCase())}
        error={
          isChecked && hours === undefined ? words.targetWrong(formatCount(LIMITS.acknowledgeHours)) : null
        }
        value={text}
        autoFocus
        autoComplete="off"
        inputMode="decimal"
        onChange={(now) => {
          setTyped(now);
          setChecked(false);
        }}
      />
      <Choice
        label={words.backup}
        help={words.backupHelp}
        options={optionsOf(work)}
        value={backup}
        onChange={setChosen}
      />
    </ChangeDialog>
  );
}

function useSaving(onDone: () => void) {
  return useChange(
    (mailbox: Parameters<typeof client.work.changeWorkSettings>[0]['body']['mailboxes'][number]) =>
      client.work.changeWorkSettings({ body: { mailboxes: [mailbox] } }),
    onDone,
  );
}

/** Null for what is set for all mailboxes, undefined for what is no number of hours. */
function hoursOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const hours = typedNumber(text, 'WORK_ACKNOWLEDGE_HOURS');
  return hours === null || hours > LIMITS.acknowledgeHours ? undefined : hours;
}

/** Whoever is the backup person stays to be chosen, also when they can take nothing over. */
function optionsOf(work: MailboxWork) {
  const { backup, people } = work;
  return [
    { id: NOBODY, label: words.noBackup },
    ...(backup && !canTakeOver(work) ? [{ id: backup.id, label: words.backupUnable(backup.name) }] : []),
    ...people.map(({ id, name }) => ({ id, label: name })),
  ];
}
