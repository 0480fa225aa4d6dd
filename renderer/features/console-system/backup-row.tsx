import { type ReactNode, useEffect, useRef, useState } from 'react';
import { BACKUP_PERMISSIONS } from '../../../shared/permissions.ts';
import { useInstallationPermissions } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { formatBytes, formatFully, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { type Backup, backupAddress, useRemoveBackup, useRestoreBackup } from './backup-queries.ts';
import styles from './system.module.css';

const words = t.system.backups;
/** An identity file has a few hundred bytes. */
const MAX_IDENTITY_BYTES = 20_000;

const SIGNS: Record<Backup['state'], { tone: Tone; icon: IconName }> = {
  running: { tone: 'go', icon: 'going' },
  done: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'danger', icon: 'alert' },
};

/** Row of a backup with its actions; removing and restoring require confirmation, in its place. */
export function BackupRow({ backup, isOwner }: { backup: Backup; isOwner: boolean }) {
  const { name, daily, encrypted, state, created_at, size_bytes, sha256, sentence } = backup;
  const [asked, ask] = useState<'remove' | 'restore' | null>(null);
  const keep = () => ask(null);
  const askers = { remove: useRef<HTMLButtonElement>(null), restore: useRef<HTMLButtonElement>(null) };
  const before = useRef(asked);
  useEffect(() => {
    if (asked === null && before.current !== null) askers[before.current].current?.focus();
    before.current = asked;
  });
  const held = useInstallationPermissions();
  const mayRemove =
    state !== 'running' &&
    (['settings:write', ...BACKUP_PERMISSIONS] as const).every((permission) => held.includes(permission));
  const sum = sha256 === null ? '' : words.checksum(sha256);
  return (
    <li className={styles['backup']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <p className={styles['name']} title={formatFully(created_at)}>
            {words.when(formatWhen(created_at))}
          </p>
          <p className={styles['meta']} title={sum}>
            {[
              name,
              daily ? words.daily : '',
              encrypted ? words.encrypted : '',
              size_bytes === null ? '' : formatBytes(size_bytes),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <StateWord {...SIGNS[state]}>{words.states[state]}</StateWord>
        {state === 'done' && isOwner && asked === null && (
          <Button ref={askers.restore} aria-label={words.restoreOf(name)} onPress={() => ask('restore')}>
            {words.restoreThis}
          </Button>
        )}
        {state === 'done' && isOwner && (
          <DownloadLink href={backupAddress(name)} label={words.downloadOf(name)}>
            {words.download}
          </DownloadLink>
        )}
        {mayRemove && asked === null && (
          <Button ref={askers.remove} aria-label={words.removeOf(name)} onPress={() => ask('remove')}>
            {words.remove}
          </Button>
        )}
      </div>
      {sentence !== null && (
        <p className={styles['quiet']} role="status">
          {sentence}
        </p>
      )}
      {asked === 'remove' && <RemoveQuestion backup={backup} onKeep={keep} />}
      {asked === 'restore' && <RestoreQuestion backup={backup} onKeep={keep} />}
    </li>
  );
}

function RemoveQuestion({ backup, onKeep }: { backup: Backup; onKeep: () => void }) {
  const removing = useRemoveBackup(backup.name);
  const title = words.removeTitle(formatWhen(backup.created_at));
  const { removeSentence: sentence, removeYes: yes, removeNo: no } = words;
  return <Question {...{ title, sentence, yes, no, onKeep }} doing={removing} />;
}

function RestoreQuestion({ backup, onKeep }: { backup: Backup; onKeep: () => void }) {
  const [identity, setIdentity] = useState('');
  const restoring = useRestoreBackup(backup.name, identity.trim());
  const title = words.restoreTitle(formatFully(backup.created_at));
  const { restoreSentence: sentence, restoreYes: yes, restoreNo: no } = words;
  if (restoring.isSuccess)
    return (
      <Notice tone="warn" isLive>
        {words.restoring}
      </Notice>
    );
  const field = backup.encrypted && <IdentityField identity={identity} onChange={setIdentity} />;
  const isReady = !backup.encrypted || identity.trim() !== '';
  return <Question {...{ title, sentence, yes, no, onKeep, field, isReady }} doing={restoring} />;
}

/** Text of the identity file, pasted or from the file. It leaves the page with the request only. */
function IdentityField({ identity, onChange }: { identity: string; onChange: (text: string) => void }) {
  const read = async ([file]: readonly File[]) => {
    if (file) onChange((await file.slice(0, MAX_IDENTITY_BYTES).text()).trim());
  };
  return (
    <div className={styles['identity']}>
      <TextArea
        label={words.identity}
        help={words.identityHelp}
        rows={2}
        value={identity}
        onChange={onChange}
        autoComplete="off"
      />
      <FileButton fieldLabel={words.identityFile} onFiles={(files) => void read(files)}>
        {words.identityChoose}
      </FileButton>
    </div>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly sentence: string;
  readonly yes: string;
  readonly no: string;
  readonly onKeep: () => void;
  /** Shown below the sentence. */
  readonly field?: ReactNode;
  /** False while something is missing in the field. */
  readonly isReady?: boolean;
  readonly doing: { mutate: () => void; isPending: boolean; error: Error | null };
}

/** Before what cannot be undone; the focus is on the answer that changes nothing. */
function Question({ title, sentence, yes, no, onKeep, field, isReady = true, doing }: QuestionProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Notice
      tone="warn"
      isLive
      title={title}
      action={
        <div className={styles['two']}>
          <Button isDisabled={!isReady} isPending={doing.isPending} onPress={() => doing.mutate()}>
            {yes}
          </Button>
          <Button ref={keep} onPress={onKeep}>
            {no}
          </Button>
        </div>
      }
    >
      {doing.error === null ? sentence : sentenceOf(doing.error)}
      {field}
    </Notice>
  );
}
