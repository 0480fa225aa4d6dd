import { useQuery } from '@tanstack/react-query';
import { assigneesQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { PersonField } from '../../ui/person-field.tsx';
import type { Pickable } from '../../ui/person-match.ts';
import { LoadProblem } from '../load-problem.tsx';
import { useMyId } from './use-work-actions.ts';

/**
 * Field for the new owner of the items. Offers the people who can own the first of them; the gateway checks the others.
 */
export function AssignField(props: {
  itemId: string;
  /** Stands in the field at first. */
  typed: string;
  onPick: (person: Pickable) => void;
  onCancel: () => void;
}) {
  const people = useQuery(assigneesQuery(props.itemId));
  const meId = useMyId();
  if (people.error && !people.data) return <LoadProblem of={people} title={t.work.assignFailed} />;
  return (
    <PersonField
      label={t.work.assignTo}
      hint={t.work.assignHint}
      none={t.work.assignNobody}
      people={people.data}
      meId={meId}
      typed={props.typed}
      onPick={props.onPick}
      onCancel={props.onCancel}
    />
  );
}
