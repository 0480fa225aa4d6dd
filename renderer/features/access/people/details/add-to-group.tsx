import { useState } from 'react';
import { access } from '../../../../api/access.ts';
import { t } from '../../../../texts/access.ts';
import { Choice } from '../../../../ui/choice.tsx';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { useChange } from '../../changes/use-change.ts';
import { type Group, useGroups } from '../../lists/short-lists.ts';
import type { PrincipalDetails } from '../people-queries.ts';

const words = t.access.groupsOf;

/** Dialog that adds the person to one of the groups they are not in yet. */
export function AddToGroup({ details, onClose }: { details: PrincipalDetails; onClose: () => void }) {
  const { user } = details;
  const groups = useGroups();
  const [chosenId, choose] = useState<string | null>(null);
  const open = groups.items.filter(({ id }) => details.groups.every(({ group }) => group.id !== id));
  const chosen = open.find(({ id }) => id === chosenId);
  const add = useChange(
    (group: Group) =>
      access.groups.addMember({
        params: { id: group.id },
        body: {
          principal_id: user.id,
          principal_version: user.version,
          group_version: group.version,
          expected_policy_version: details.policy_version,
        },
      }),
    onClose,
  );
  return (
    <ChangeDialog
      title={words.addTitle(user.display_name)}
      submit={words.addYes}
      onSubmit={() => chosen && add.run(chosen)}
      onClose={onClose}
      change={add}
      isNotYet={chosen === undefined}
    >
      <p>{words.addSentence}</p>
      {!groups.isOpening && open.length === 0 ? (
        <p>{words.noGroups}</p>
      ) : (
        <Choice
          label={words.choose}
          placeholder={words.chooseHint}
          value={chosen?.id ?? null}
          onChange={choose}
          options={open.map(({ id, name, description, enabled }) => ({
            id,
            label: name,
            help: enabled ? description : words.off,
          }))}
        />
      )}
    </ChangeDialog>
  );
}
