import { useEffect, useRef, useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/house.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { formatBytes, formatFully, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import { type Backup, backupAddress, useRemoveBackup } from './backup-queries.ts';
import styles from './system.module.css';

const words = t.system.backups;

const SIGNS: Record<Backup['state'], { tone: Tone; icon: IconName }> = {
  running: { tone: 'go', icon: 'going' },
  done: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'danger', icon: 'alert' },
};

/** One backup with what can be done with it; removing asks first, in its place. */
export function BackupRow({ backup, mayDownload }: { backup: Backup; mayDownload: boolean }) {
  const { name, state, created_at, size_bytes, sha256, sentence } = backup;
  const [isAsked, setAsked] = useState(false);
  const mayRemove = usePermission('settings:write') && state !== 'running';
  const sum = sha256 === null ? '' : words.checksum(sha256);
  return (
    <li className={styles['backup']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <p className={styles['name']} title={formatFully(created_at)}>
            {words.when(formatWhen(created_at))}
          </p>
          <p className={styles['meta']} title={sum}>
            {[name, size_bytes === null ? '' : formatBytes(size_bytes)].filter(Boolean).join(' · ')}
          </p>
        </div>
        <StateWord {...SIGNS[state]}>{words.states[state]}</StateWord>
        {state === 'done' && mayDownload && (
          <DownloadLink href={backupAddress(name)} label={words.downloadOf(name)}>
            {words.download}
          </DownloadLink>
        )}
        {mayRemove && !isAsked && (
          <Button aria-label={words.removeOf(name)} onPress={() => setAsked(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      {sentence !== null && (
        <p className={styles['quiet']} role="status">
          {sentence}
        </p>
      )}
      {isAsked && <RemoveQuestion backup={backup} onKeep={() => setAsked(false)} />}
    </li>
  );
}

function RemoveQuestion({ backup, onKeep }: { backup: Backup; onKeep: () => void }) {
  const removing = useRemoveBackup(backup.name);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Notice
      tone="warn"
      isLive
      title={words.removeTitle(formatWhen(backup.created_at))}
      action={
        <div className={styles['two']}>
          <Button isPending={removing.isPending} onPress={() => removing.mutate()}>
            {words.removeYes}
          </Button>
          <Button ref={keep} onPress={onKeep}>
            {words.removeNo}
          </Button>
        </div>
      }
    >
      {removing.error === null ? words.removeSentence : sentenceOf(removing.error)}
    </Notice>
  );
}
