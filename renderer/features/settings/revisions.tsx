import { client } from '../../api/client.ts';
import type { ListPage } from '../../api/lists/list.ts';
import { useList } from '../../api/lists/use-list.ts';
import { sentenceOf } from '../../api/sentence.ts';
import type { Provider, Revision, Setting, SettingValue } from '../../api/settings.ts';
import { valueWords } from '../../parts/settings/setting-words.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { formatFully, formatWhen } from '../../ui/format.ts';
import { PaneBody, PaneHead } from '../../ui/pane.tsx';
import styles from './settings.module.css';

/** Lists the changes of settings with their authors and times, newest first. */
export function Revisions({
  settings,
  providers,
}: {
  settings: readonly Setting[];
  providers: readonly Provider[];
}) {
  const revisions = useList<Revision, ListPage<Revision>>({
    key: ['settings', 'revisions'],
    read: (query, signal) => client.settings.revisions({ query, signal }),
  });
  const { items } = revisions;
  const words = {
    settings: new Map(settings.map((setting) => [setting.name, setting])),
    providers: new Map<SettingValue, string>(providers.map(({ backend, name }) => [backend, name])),
  };
  const isEmpty = revisions.isWhole && items.every(({ changes }) => changes.length === 0);
  return (
    <aside className={styles['drawer']} aria-label={t.settings.revisions}>
      <PaneHead title={t.settings.revisions} />
      <PaneBody label={t.settings.revisions}>
        <div className={styles['changes']}>
          {Boolean(revisions.error) && <p>{sentenceOf(revisions.error)}</p>}
          {isEmpty && <p>{t.settings.noRevisions}</p>}
          <ul className={styles['changes']}>
            {items.map((revision) => (
              <RevisionEntry key={revision.id} revision={revision} words={words} />
            ))}
          </ul>
          {!revisions.isOpening && !revisions.isWhole && (
            <Button isPending={revisions.isLoadingMore} onPress={() => revisions.loadTo(items.length)}>
              {t.settings.moreRevisions}
            </Button>
          )}
        </div>
      </PaneBody>
    </aside>
  );
}

interface Words {
  readonly settings: ReadonlyMap<string, Setting>;
  readonly providers: ReadonlyMap<SettingValue, string>;
}

function RevisionEntry({ revision, words }: { revision: Revision; words: Words }) {
  const { actor, created_at, changes } = revision;
  return changes.map((change) => (
    <li key={change.name}>
      <p className={styles['change']}>
        {words.settings.get(change.name)?.label ?? change.name}:{' '}
        <span className={styles['value']}>{changeWords(change, words)}</span>
      </p>
      <p className={styles['help']} title={formatFully(created_at)}>
        {t.settings.revisionBy(actor.name, formatWhen(created_at))}
      </p>
    </li>
  ));
}

function changeWords({ name, from, to, secret }: Revision['changes'][number], words: Words): string {
  if (secret) return t.settings.revisionSecret;
  const shown = (value: SettingValue) =>
    (name === 'FAX_BACKEND' && words.providers.get(value)) ||
    valueWords(words.settings.get(name) ?? { name }, value);
  return from === null ? shown(to) : t.settings.revisionWas(shown(to), shown(from));
}
