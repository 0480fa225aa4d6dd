import { KEY_STATES } from '../../../../shared/api/access-keys.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { useSubjectOf } from '../subjects/find-subjects.ts';
import { SubjectField } from '../subjects/subject-field.tsx';
import type { Key, KeyFilter } from './key-queries.ts';
import styles from './keys.module.css';

const words = t.access.key;
const ANY = 'any';

/** Whose, and in which state. */
export function KeyFilters(props: {
  filter: KeyFilter;
  onChange: (filter: KeyFilter) => void;
  /** What is listed knows most names already. */
  named: readonly Key[];
}) {
  const { filter, onChange, named } = props;
  const { of: _of, ...ofAll } = filter;
  const { state: _state, ...inAny } = filter;
  const listed = named.find(({ principal }) => principal.id === filter.of)?.principal;
  const chosen = useSubjectOf(
    filter.of,
    listed && {
      what: listed.kind === 'integration' ? 'integration' : 'user',
      name: listed.display_name,
    },
  );
  return (
    <div className={styles['filters']} role="group" aria-label={words.filters}>
      <SubjectField
        label={words.find}
        isLabelHidden
        withGroups={false}
        chosen={chosen}
        onChoose={(subject) => onChange(subject ? { ...ofAll, of: subject.id } : ofAll)}
      />
      <Choice
        label={words.state}
        isLabelHidden
        value={filter.state ?? ANY}
        onChange={(state) => onChange(state === ANY ? inAny : { ...filter, state })}
        options={[
          { id: ANY, label: words.anyState },
          ...KEY_STATES.map((state) => ({ id: state, label: words.states[state] })),
        ]}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="link" onPress={() => onChange({})}>
          {words.all}
        </Button>
      )}
    </div>
  );
}
