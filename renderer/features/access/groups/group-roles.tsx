import { Link } from '@tanstack/react-router';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { DetailsSection } from '../details/details.tsx';
import { useAccessRows } from '../lists/access-rows.ts';
import { resourceName } from '../lists/resources.ts';
import type { Group } from '../lists/short-lists.ts';
import styles from './groups.module.css';

const words = t.access.group;

/** The roles that were given to a group, and where. */
export function GroupRoles({ group }: { group: Group }) {
  const grants = useAccessRows({
    isShort: true,
    key: ['assignments', 'of', group.id],
    read: (query, signal) =>
      access.assignments.listAssignments({ query: { subject_id: group.id, ...query }, signal }),
  });
  return (
    <DetailsSection
      title={words.roles}
      aside={
        <Link
          to="/access/{-$part}/{-$id}"
          params={{ part: 'assignments', id: undefined }}
          search={{ of: group.id }}
        >
          {words.showRights}
        </Link>
      }
    >
      {!grants.isOpening && grants.items.length === 0 && <p className={styles['quiet']}>{words.noRoles}</p>}
      <ul>
        {grants.items.map(({ id, role, resource }) => (
          <li key={id}>{words.roleOn(role.name, resourceName(resource))}</li>
        ))}
      </ul>
    </DetailsSection>
  );
}
