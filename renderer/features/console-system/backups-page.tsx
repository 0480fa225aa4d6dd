import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/administration.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fold } from '../../ui/fold.tsx';
import { formatCount, formatHour } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { type Backup, backupsQuery, isMaking, useMakeBackup } from './backup-queries.ts';
import { BackupRow } from './backup-row.tsx';
import { statusQuery } from './status-query.ts';
import styles from './system.module.css';

const words = t.system.backups;
const KEY = 'shift+b';

/** The backups made here: a new one, the ones there are, and how one is brought back. */
export function BackupsPage() {
  const backups = useQuery(backupsQuery);
  const making = useMakeBackup();
  const mayMake = usePermission('settings:write');
  const isBusy = making.isPending || isMaking(backups.data?.items);
  const make = () => making.mutate();
  useActions(
    t.system.title,
    mayMake
      ? [{ id: 'backup', label: words.make, icon: 'plus', keys: KEY, isDisabled: isBusy, run: make }]
      : [],
  );
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title}>
        {mayMake && (
          <Button variant="primary" keys={KEY} isPending={isBusy} onPress={make}>
            {isBusy ? words.making : words.make}
          </Button>
        )}
      </PaneHead>
      <PaneBody isPadded>
        <div className={styles['column']}>
          <p className={styles['quiet']}>{words.sentence}</p>
          {!mayMake && <p className={styles['quiet']}>{words.mayNotMake}</p>}
          {making.error !== null && (
            <Notice tone="danger" isLive>
              {sentenceOf(making.error)}
            </Notice>
          )}
          <LoadProblem of={backups} />
          {typeof backups.data?.problem === 'string' && <Notice tone="warn">{backups.data.problem}</Notice>}
          {backups.data && <Daily at={backups.data.daily_at} keep={backups.data.keep} />}
          {backups.data && <Recipients count={backups.data.recipients.length} />}
          <InBucket />
          {backups.data && <BackupItems items={backups.data.items} />}
          {backups.data && <CopyField label={words.folder} value={backups.data.folder} />}
          {backups.data && (
            <Restoring folder={backups.data.folder} newest={newestWhole(backups.data.items)} />
          )}
        </div>
      </PaneBody>
    </Pane>
  );
}

function newestWhole(items: readonly Backup[]): string {
  return items.find(({ state }) => state === 'done')?.name ?? 'backup.zip';
}

/** Shows the schedule of daily backups. */
function Daily({ at, keep }: { at: string | null; keep: number }) {
  const mayChange = usePermission('settings:write');
  const hour = Number.parseInt(at ?? '', 10);
  return (
    <p className={styles['quiet']}>
      {at === null ? words.dailyOff : words.dailyOn(formatHour(hour), formatCount(keep))}{' '}
      {mayChange && (
        <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'backups' }}>
          {words.dailySettings}
        </Link>
      )}
    </p>
  );
}

/** Shows for how many recipients backups are encrypted. */
function Recipients({ count }: { count: number }) {
  return (
    <p className={styles['quiet']}>
      {count === 0 ? words.notEncrypted : words.encryptedFor(count, formatCount(count))}
    </p>
  );
}

/** Names the bucket that backups leave out. */
function InBucket() {
  const bucket = useQuery(statusQuery).data?.document_storage.bucket ?? null;
  if (bucket === null) return null;
  return <p className={styles['quiet']}>{words.inBucket(bucket)}</p>;
}

function BackupItems({ items }: { items: readonly Backup[] }) {
  const isOwner = usePermission('owner:recover');
  if (items.length === 0)
    return (
      <EmptyState icon="shield" title={words.empty}>
        {words.emptySentence}
      </EmptyState>
    );
  return (
    <>
      <ul className={styles['list']} aria-label={words.list}>
        {items.map((backup) => (
          <BackupRow key={backup.name} backup={backup} isOwner={isOwner} />
        ))}
      </ul>
      {!isOwner && <p className={styles['quiet']}>{words.onlyOwners}</p>}
    </>
  );
}

/** For a file that is not in the folder, or when nobody can sign in. */
function Restoring({ folder, newest }: { folder: string; newest: string }) {
  const dataFolder = useQuery(statusQuery).data?.data_folder;
  if (dataFolder === undefined) return null;
  const opening = newest.endsWith('.age') ? ` --identity ${words.identityPlaceholder}` : '';
  const command = `faxdesk restore "${folder}/${newest}" --data "${dataFolder}" --replace${opening}`;
  return (
    <Fold title={words.restore} summary={words.restoreSummary}>
      <div className={styles['column']}>
        <ol className={styles['steps']}>
          {words.restoreSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <CopyField label={words.command} value={command} help={words.commandHelp} />
      </div>
    </Fold>
  );
}
