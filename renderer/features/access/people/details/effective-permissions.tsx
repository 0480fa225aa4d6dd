import { useState } from 'react';
import type { Permission } from '../../../../../shared/permissions.ts';
import { usePermission } from '../../../../api/queries.ts';
import { t } from '../../../../texts/access.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { Fold } from '../../../../ui/fold.tsx';
import { formatCount } from '../../../../ui/format.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { GiveDialog } from '../../assignments/give-dialog.tsx';
import { GRANT_FILTER } from '../../assignments/grant-queries.ts';
import { DetailsSection } from '../../details/details.tsx';
import { permissionWords } from '../../lists/permission-words.ts';
import { principalSubject } from '../../subjects/find-subjects.ts';
import type { PrincipalDetails } from '../people-queries.ts';
import { byResource, type Effective, matchesText, notAllowed, sourceWords } from './effective.ts';
import styles from './principal-view.module.css';

const words = t.access.why;
/** Below this a search helps nobody. */
const MANY = 8;

/** Shows what a principal may do, resource by resource, with the role and group that allow it. */
export function EffectivePermissions({ details }: { details: PrincipalDetails }) {
  const { user, effective } = details;
  const [text, setText] = useState('');
  const sought = text.trim();
  const resources = byResource(effective.filter((item) => sought === '' || matchesText(item, sought)));
  return (
    <DetailsSection title={words.title(user.display_name)}>
      {effective.length === 0 && (
        <p className={styles['quiet']}>{user.enabled ? words.nothing : words.nothingDisabled}</p>
      )}
      <GiveRole details={details} />
      {effective.length > MANY && (
        <TextField
          label={words.find}
          isLabelHidden
          isSmall
          type="search"
          icon="search"
          autoComplete="off"
          placeholder={words.find}
          value={text}
          onChange={setText}
        />
      )}
      {effective.length > 0 && resources.length === 0 && (
        <p className={styles['quiet']} role="status">
          {words.noneFound}
        </p>
      )}
      {resources.map(({ id, title, items }) => (
        <section key={id} aria-label={title}>
          <h4 className={styles['resource']}>{title}</h4>
          <ul>
            {items.map((item) => (
              <Allowed key={item.permission} item={item} />
            ))}
          </ul>
        </section>
      ))}
      {user.enabled && sought === '' && <NotAllowed permissions={notAllowed(effective)} />}
    </DetailsSection>
  );
}

/** From here it is clear to whom. */
function GiveRole({ details: { user, policy_version } }: { details: PrincipalDetails }) {
  const mayGive = usePermission('grants:manage');
  const [isGiving, setGiving] = useState(false);
  const end = () => setGiving(false);
  if (!mayGive) return null;
  return (
    <div>
      <Button onPress={() => setGiving(true)}>{t.access.grant.newTitle}</Button>
      {isGiving && (
        <GiveDialog
          policyVersion={policy_version}
          filter={GRANT_FILTER.fromAddress({})}
          subject={principalSubject(user)}
          onClose={end}
          onDone={end}
        />
      )}
    </div>
  );
}

function Allowed({ item: { permission, resource, sources } }: { item: Effective }) {
  return (
    <li className={styles['row']}>
      <Icon name="check" size={16} />
      <span>{permissionWords(permission)}</span>
      {sources.map((source) => (
        <span key={source.assignment_id} className={styles['why']}>
          {sourceWords(source, resource)}
        </span>
      ))}
    </li>
  );
}

function NotAllowed({ permissions }: { permissions: readonly Permission[] }) {
  if (permissions.length === 0) return null;
  return (
    <Fold title={words.not} summary={words.notCount(formatCount(permissions.length))}>
      <ul>
        {permissions.map((permission) => (
          <li key={permission} className={styles['row']} data-not>
            <Icon name="close" size={16} />
            <span>{permissionWords(permission)}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
