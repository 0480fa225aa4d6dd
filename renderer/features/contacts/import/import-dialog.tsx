import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { ContactImport } from '../../../../shared/api/contacts-import.ts';
import { client } from '../../../api/client.ts';
import { contactsChanged } from '../../../api/contacts.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/contacts.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { MainButton } from '../../../ui/main-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './import-dialog.module.css';
import { ImportLists } from './import-lists.tsx';

const words = t.contacts.importing;
type Result = z.infer<typeof ContactImport>;

/** Dialog that imports contacts from a CSV file or vCards. It first shows the changes, and the lines that are left out. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const taking = useImport();
  const { done } = taking;
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      width="wide"
      kind="form"
      actions={
        done ? (
          <Button variant="primary" onPress={onClose}>
            {words.close}
          </Button>
        ) : (
          <>
            <MainButton isPending={taking.isRunning} reason={obstacleOf(taking)} onPress={taking.run}>
              {words.run}
            </MainButton>
            <Button onPress={onClose}>{words.cancel}</Button>
          </>
        )
      }
    >
      <ImportForm taking={taking} />
    </Dialog>
  );
}

/** Returns why nothing can be imported yet, as a sentence; null when it can. */
function obstacleOf({ file, checked, isChecking }: ReturnType<typeof useImport>): string | null {
  if (!file) return words.fileFirst;
  if (isChecking) return words.checking;
  return checked === null || checked.added + checked.changed === 0 ? words.nothing : null;
}

function ImportForm({ taking }: { taking: ReturnType<typeof useImport> }) {
  const { file, existing, checked, isChecking, done } = taking;
  const shown = taking.error === null ? (done ?? (isChecking ? null : checked)) : null;
  return (
    <div className={styles['form']}>
      {done ? (
        <Notice tone="ok" isLive title={words.doneTitle}>
          {words.done(formatCount(done.added), formatCount(done.changed))}
        </Notice>
      ) : (
        <>
          <p>{words.sentence}</p>
          <ChooseFile name={file?.name ?? null} onChoose={taking.choose} />
          {file && (
            <Choice
              label={words.existing}
              value={existing}
              onChange={taking.setExisting}
              options={[
                { id: 'keep', label: words.keep },
                { id: 'update', label: words.update },
              ]}
            />
          )}
        </>
      )}
      {taking.error !== null ? (
        <Notice tone="danger" isLive>
          {sentenceOf(taking.error)}
        </Notice>
      ) : (
        <div role="status">
          {isChecking ? words.checking : checked && !done && <Counts result={checked} />}
        </div>
      )}
      {shown && <ImportLists result={shown} />}
    </div>
  );
}

function ChooseFile({ name, onChoose }: { name: string | null; onChoose: (file: File) => void }) {
  return (
    <div className={styles['file']}>
      <FileButton
        icon="upload"
        autoFocus
        fieldLabel={words.choose}
        accept=".csv,.txt,.vcf,text/csv,text/vcard"
        onFiles={([file]) => file && onChoose(file)}
      >
        {name === null ? words.choose : words.other}
      </FileButton>
      {name !== null && <span className={styles['name']}>{name}</span>}
    </div>
  );
}

function Counts({ result }: { result: Result }) {
  const { added, changed, unchanged, merged, left_out } = result;
  const lines = [
    ...(added > 0 ? [words.added(formatCount(added))] : []),
    ...(changed > 0 ? [words.changed(formatCount(changed))] : []),
    ...(unchanged > 0 ? [words.unchanged(formatCount(unchanged))] : []),
    ...(merged > 0 ? [words.merged(formatCount(merged))] : []),
    ...(left_out > 0 ? [words.leftOut(formatCount(left_out))] : []),
  ];
  return (
    <ul className={styles['counts']}>
      {lines.length === 0 ? <li>{words.nothing}</li> : lines.map((line) => <li key={line}>{line}</li>)}
    </ul>
  );
}

type Existing = 'keep' | 'update';

/** A file: first what it would change, then the import itself. */
function useImport() {
  const [chosen, setChosen] = useState<{ file: File; number: number } | null>(null);
  const [existing, setExisting] = useState<Existing>('keep');
  const send = async (checkOnly: boolean) => {
    if (chosen === null) throw new Error('a file is chosen first');
    const { file } = chosen;
    return client.contacts.importContacts({
      fields: { existing, check_only: String(checkOnly) },
      files: { file: [{ name: file.name, content: file }] },
    });
  };
  const checking = useQuery({
    queryKey: ['contacts', 'import', chosen?.number, existing],
    enabled: chosen !== null,
    gcTime: 0,
    retry: false,
    queryFn: () => send(true),
  });
  const importing = useMutation({
    mutationFn: () => send(false),
    onSuccess: () => contactsChanged(),
  });
  return {
    file: chosen?.file ?? null,
    choose: (file: File) => setChosen({ file, number: (chosen?.number ?? 0) + 1 }),
    existing,
    setExisting,
    checked: checking.data ?? null,
    isChecking: chosen !== null && checking.isFetching,
    error: importing.error ?? checking.error,
    run: () => importing.mutate(),
    isRunning: importing.isPending,
    done: importing.data ?? null,
  };
}
