import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { useRoles } from '../lists/everything.ts';
import { placeName, usePlaces } from '../lists/places.ts';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import styles from './assignments.module.css';
import type { Grant, GrantFilter } from './grant-queries.ts';
import { whatIs } from './grant-words.ts';

const words = t.access.grant;
const ANY = 'any';

/** Whose, which role, where. */
export function GrantFilters(props: {
  filter: GrantFilter;
  onChange: (filter: GrantFilter) => void;
  /** What is listed knows most names already. */
  named: readonly Grant[];
}) {
  const { filter, onChange, named } = props;
  const roles = useRoles(usePermission('roles:read')).items;
  const places = usePlaces();
  const listed = named.find(({ subject }) => subject.id === filter.of)?.subject;
  const chosen = useSubjectOf(filter.of, listed && { what: whatIs(listed), name: listed.name });
  const { of: _of, ...ofAll } = filter;
  const choose = (field: 'role' | 'on', id: string) => {
    const { [field]: _old, ...rest } = filter;
    onChange(id === ANY ? rest : { ...rest, [field]: id });
  };
  return (
    <div className={styles['filters']} role="group" aria-label={words.filters}>
      <SubjectField
        label={words.find}
        isLabelHidden
        withGroups
        chosen={chosen}
        onChoose={(subject) => onChange(subject ? { ...ofAll, of: subject.id } : ofAll)}
      />
      {roles.length > 0 && (
        <Choice
          label={words.role}
          isLabelHidden
          value={filter.role ?? ANY}
          onChange={(id) => choose('role', id)}
          options={[
            { id: ANY, label: words.anyRole },
            ...roles.map((role) => ({ id: role.id, label: role.name })),
          ]}
        />
      )}
      <Choice
        label={words.place}
        isLabelHidden
        value={filter.on ?? ANY}
        onChange={(id) => choose('on', id)}
        options={[
          { id: ANY, label: words.anyPlace },
          ...places.map((place) => ({ id: place.id, label: placeName(place) })),
        ]}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="link" onPress={() => onChange({})}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}
