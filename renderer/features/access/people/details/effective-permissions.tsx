import { useState } from 'react';
import { ALL_PERMISSIONS, type Permission } from '../../../../../shared/permissions.ts';
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
import styles from './principal-view.module.css';

const words = t.access.why;
/** Below this a search helps nobody. */
const MANY = 8;

/** Shows the permissions of a principal, resource by resource, with the role and group that allow it. */
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

type Effective = PrincipalDetails['effective'][number];
type Resource = Effective['resource'];
type Source = Effective['sources'][number];

interface ResourceGroup {
  readonly id: string;
  readonly title: string;
  readonly items: readonly Effective[];
}

/** Groups the effective permissions by resource, the installation first, in the order of the permissions. */
function byResource(effective: readonly Effective[]): readonly ResourceGroup[] {
  const ids = [...new Set(effective.map(({ resource }) => resource.id))];
  const groups = ids.map((id) => {
    const items = effective.filter(({ resource }) => resource.id === id);
    const sorted = items.toSorted((a, b) => orderOf(a.permission) - orderOf(b.permission));
    const [first] = sorted;
    return { id, title: first ? titleOf(first.resource) : id, items: sorted };
  });
  return groups.toSorted((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

const orderOf = (permission: Permission) => ALL_PERMISSIONS.indexOf(permission);
const rank = ({ id }: ResourceGroup) => (id === 'installation' ? 0 : 1);

function titleOf({ kind, name }: Resource): string {
  if (kind === 'installation') return words.everywhere;
  return kind === 'mailbox' ? words.mailbox(name) : name;
}

/** "Through role Fax Operator, given to group Front desk on mailbox Referrals" */
function sourceWords({ role, group }: Source, { kind, name }: Resource): string {
  const resource = kind === 'installation' ? words.resources.installation : words.resources[kind](name);
  return group === null ? words.direct(role.name, resource) : words.byGroup(role.name, group.name, resource);
}

/** Returns the permissions held on no resource, for the question why a person may not do something. */
function notAllowed(effective: readonly Effective[]): readonly Permission[] {
  const held = new Set(effective.map(({ permission }) => permission));
  return ALL_PERMISSIONS.filter((permission) => !held.has(permission));
}

/** Returns true when the search text occurs in the words of the permission or of its sources. */
function matchesText(item: Effective, text: string): boolean {
  const all = [permissionWords(item.permission), ...item.sources.map((it) => sourceWords(it, item.resource))];
  return all.some((it) => it.toLocaleLowerCase().includes(text.toLocaleLowerCase()));
}
