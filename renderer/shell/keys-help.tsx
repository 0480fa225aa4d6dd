import { t } from '../texts/index.ts';
import { type Action, useRegisteredActions } from '../ui/actions.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Keys, keyCaps } from '../ui/keys.tsx';
import { isSingleKey, setSingleKeys, useSingleKeys } from '../ui/single-keys.ts';
import { Switch } from '../ui/switch.tsx';
import styles from './keys-help.module.css';

/** Every shortcut that works on this screen now. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const hasSingle = useSingleKeys();
  /** The first shortcut that works; undefined where none does. */
  const keysOf = ({ keys, alsoKeys = [] }: Action) =>
    keys === undefined ? undefined : [keys, ...alsoKeys].find((it) => hasSingle || !isSingleKey(it));
  const groups = useRegisteredActions()
    .map((group) => ({
      ...group,
      actions: group.actions.flatMap((action) => {
        const keys = keysOf(action);
        return keys === undefined ? [] : [{ ...action, keys }];
      }),
    }))
    .filter((group) => group.actions.length > 0)
    .toReversed();
  return (
    <Dialog title={t.shell.keysTitle} isOpen helpPage="getting-around" onClose={onClose}>
      <div className={styles['single']}>
        <Switch isSelected={hasSingle} onChange={setSingleKeys} aria-describedby="single-keys">
          {t.shell.singleKeys}
        </Switch>
        <p id="single-keys">{t.shell.singleKeysHelp}</p>
      </div>
      {groups.map((group) => (
        <section key={group.title} className={styles['group']}>
          <h3>{group.title}</h3>
          <dl>
            {group.actions.map((action) => (
              <div key={action.id}>
                <dt>{action.label}</dt>
                <dd>
                  <span className="visually-hidden">{keyCaps(action.keys).join(' ')}</span>
                  <Keys of={action.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
