import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { TextField } from '../../../ui/field.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import type { Group } from '../lists/short-lists.ts';

const words = t.access.group;

interface Typed {
  readonly name: string;
  readonly description: string;
}

/** Form with the name and description of a group; for a new one when `group` is null. */
export function GroupForm(props: {
  group: Group | null;
  policyVersion: number;
  onClose: () => void;
  onDone: (group: Group) => void;
}) {
  const { group, policyVersion, onClose, onDone } = props;
  const [title] = useState(group ? words.editTitle(group.name) : words.newTitle);
  const [typed, setTyped] = useState<Partial<Typed>>({});
  const [isChecked, setChecked] = useState(false);
  const before = { name: group?.name ?? '', description: group?.description ?? '' };
  const shown = { ...before, ...typed };
  const nameProblem = shown.name.trim() === '' ? words.nameMissing : null;
  const save = useChange(
    (values: Typed) => saveGroup(group, values, policyVersion),
    ({ group: saved }) => onDone(saved),
  );
  const submit = () => {
    setChecked(true);
    if (nameProblem === null) save.run({ name: shown.name.trim(), description: shown.description.trim() });
  };
  return (
    <ChangeDialog
      title={title}
      submit={group ? words.save : words.create}
      onSubmit={submit}
      onClose={onClose}
      change={save}
      missing={
        group !== null && shown.name === before.name && shown.description === before.description
          ? t.access.change.missing.nothing
          : null
      }
    >
      <TextField
        label={words.name}
        help={words.nameHelp}
        autoFocus
        autoComplete="off"
        maxLength={LIMITS.displayNameLength}
        value={shown.name}
        onChange={(name) => setTyped({ ...typed, name })}
        error={isChecked ? nameProblem : null}
      />
      <TextField
        label={words.description}
        help={words.descriptionHelp}
        autoComplete="off"
        maxLength={LIMITS.noteLength}
        value={shown.description}
        onChange={(description) => setTyped({ ...typed, description })}
      />
    </ChangeDialog>
  );
}

function saveGroup(group: Group | null, values: Typed, policyVersion: number) {
  const body = { ...values, expected_policy_version: policyVersion };
  return group === null
    ? access.groups.createGroup({ body })
    : access.groups.changeGroup({ params: { id: group.id }, body: { ...body, version: group.version } });
}
