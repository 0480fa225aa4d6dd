import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { scannerQuery } from '../../../api/scanning.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { DraftStore } from '../draft/draft-store.ts';
import styles from './scan-dialog.module.css';
import { orderOf, ScanOptions, useScanChoice } from './scan-options.tsx';
import { ScannedPages } from './scanned-pages.tsx';
import { useScan } from './use-scan.ts';

/** Interval at which the scanner is looked at until it scans. */
const LOOK_MS = 3_000;

const FRAME = { isOpen: true, kind: 'form', width: 'wide', helpPage: 'scan-to-fax#scan' } as const;

interface ScanDialogProps {
  readonly scanners: ReadonlyArray<{ readonly id: string; readonly url: string }>;
  readonly drafts: DraftStore;
  readonly onClose: () => void;
}

/** Scans pages, as often as needed, and adds them to the fax as one document. */
export function ScanDialog({ scanners, drafts, onClose }: ScanDialogProps) {
  const words = t.send.scan;
  const [choice, setChoice] = useScanChoice();
  const [isAsking, setAsking] = useState(false);
  const scanner = scanners.find(({ id }) => id === choice.scanner) ?? scanners[0];
  const { scan, isRunning, isBusy, error, start, add, discard } = useScan(drafts, onClose);
  const count = scan?.pages ?? 0;
  const details = useQuery({
    ...scannerQuery(scanner?.id ?? ''),
    enabled: scanner !== undefined,
    // Paper is put into the feeder meanwhile.
    refetchInterval: scan === null && LOOK_MS,
  });
  const order = details.data === undefined ? null : orderOf(details.data, choice);
  const problem = error ?? details.error;
  const sentence = problem === null ? (scan?.problem ?? null) : sentenceOf(problem);
  const close = () => (count > 0 ? setAsking(true) : discard());
  const actions = isAsking ? (
    <>
      <Button key="keep" autoFocus onPress={() => setAsking(false)}>
        {words.keep}
      </Button>
      <Button key="discard" onPress={discard}>
        {words.discard}
      </Button>
      <span className={styles['question']}>{words.question(count)}</span>
    </>
  ) : (
    <>
      {count > 0 && (
        <Button key="add" variant="primary" isPending={isBusy} onPress={add}>
          {words.add}
        </Button>
      )}
      <Button
        key="start"
        variant={count > 0 ? 'default' : 'primary'}
        // The keyboard stays on it while the scanner runs.
        isPending={isBusy}
        isDisabled={order === null}
        onPress={() => scanner && order && start(scanner.id, order)}
      >
        {count > 0 ? words.more : words.start}
      </Button>
      <Button key="close" onPress={close}>
        {isRunning ? words.stop : words.close}
      </Button>
    </>
  );
  return (
    <Dialog {...FRAME} title={words.title} onClose={close} actions={actions}>
      <div className={styles['body']}>
        {sentence !== null && (
          <Notice tone="danger" isLive>
            {sentence}
          </Notice>
        )}
        <ScannerChoice
          scanners={scanners}
          value={scanner?.id ?? null}
          isDisabled={isBusy || count > 0}
          onChange={(id) => setChoice({ ...choice, scanner: id })}
        />
        {details.data === undefined && <NoScanner of={details} />}
        {details.data && (
          <ScanOptions
            details={details.data}
            choice={choice}
            isFirst={count === 0}
            isDisabled={isBusy}
            onChoice={setChoice}
          />
        )}
        <ScannedPages scan={scan} />
      </div>
    </Dialog>
  );
}

/** Shown while the scanner has not answered, or until it does. */
function NoScanner({ of }: { readonly of: Pick<UseQueryResult, 'isFetching' | 'refetch'> }) {
  if (!of.isFetching) return <Button onPress={() => void of.refetch()}>{t.send.scan.tryAgain}</Button>;
  return (
    <p className={styles['state']} role="status">
      {t.send.scan.asking}
    </p>
  );
}

/** Shown where there are several. */
function ScannerChoice(props: {
  scanners: ScanDialogProps['scanners'];
  value: string | null;
  isDisabled: boolean;
  onChange: (id: string) => void;
}) {
  const { scanners, value, isDisabled, onChange } = props;
  if (scanners.length < 2) return null;
  return (
    <Choice
      label={t.send.scan.scanner}
      // The part of an address that people know a device by.
      options={scanners.map(({ id, url }) => ({ id, label: new URL(url).host }))}
      value={value}
      isDisabled={isDisabled}
      onChange={onChange}
    />
  );
}
