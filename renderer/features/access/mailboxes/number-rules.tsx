import { useState } from 'react';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { DetailsSection } from '../details/details.tsx';
import { type Mailbox, type Rule, useRules } from './mailbox-queries.ts';
import styles from './mailboxes.module.css';
import { AddNumberDialog, MoveNumberDialog } from './number-dialogs.tsx';

const words = t.access.mailbox;

type Doing = { readonly what: 'move' | 'remove'; readonly id: string } | null;

/** The numbers whose faxes are filed here: add one, move one, remove one. */
export function NumberRules(props: { mailbox: Mailbox; mailboxes: readonly Mailbox[]; mayChange: boolean }) {
  const { mailbox, mailboxes, mayChange } = props;
  const rules = useRules(mailbox.id);
  const [isNew, setNew] = useState(false);
  const [doing, setDoing] = useState<Doing>(null);
  const done = () => setDoing(null);
  const chosen = rules.items.find(({ id }) => id === doing?.id);
  const add = mayChange && (
    <Button icon="plus" onPress={() => setNew(true)}>
      {words.addNumber}
    </Button>
  );
  return (
    <DetailsSection title={words.numbers} aside={add}>
      {!rules.isOpening && rules.items.length === 0 && <p>{words.noNumberSentence}</p>}
      <ul className={styles['rules']} aria-label={words.numbers}>
        {rules.items.map((rule) => (
          <li key={rule.id}>
            <RuleLine
              rule={rule}
              mayChange={mayChange}
              canMove={mailboxes.length > 1}
              onDo={(what) => setDoing({ what, id: rule.id })}
            />
            {doing?.what === 'remove' && doing.id === rule.id && (
              <RemoveQuestion rule={rule} policyVersion={rules.policyVersion} onDone={done} />
            )}
          </li>
        ))}
      </ul>
      {isNew && (
        <AddNumberDialog
          mailbox={mailbox}
          policyVersion={rules.policyVersion}
          onClose={() => setNew(false)}
        />
      )}
      {doing?.what === 'move' && chosen && (
        <MoveNumberDialog
          rule={chosen}
          mailboxes={mailboxes}
          policyVersion={rules.policyVersion}
          onClose={done}
        />
      )}
    </DetailsSection>
  );
}

function RuleLine(props: {
  rule: Rule;
  mayChange: boolean;
  canMove: boolean;
  onDo: (what: 'move' | 'remove') => void;
}) {
  const { rule, mayChange, canMove, onDo } = props;
  const phone = usePhoneFormat();
  const number = phone(rule.to_number);
  return (
    <div className={styles['rule']}>
      <span className={styles['number']}>{number}</span>
      {mayChange && (
        <Menu
          label={words.changeNumber(number)}
          entries={[
            {
              id: 'move',
              label: words.move,
              icon: 'inbox',
              isDisabled: !canMove,
              run: () => onDo('move'),
            },
            { id: 'remove', label: words.remove, icon: 'close', run: () => onDo('remove') },
          ]}
        >
          <Button variant="plain" icon="more" aria-label={words.changeNumber(number)}>
            {words.change}
          </Button>
        </Menu>
      )}
    </div>
  );
}

function RemoveQuestion(props: { rule: Rule; policyVersion: number; onDone: () => void }) {
  const { rule, policyVersion, onDone } = props;
  const phone = usePhoneFormat();
  const removing = useChange(
    () =>
      access.mailboxes.removeInboundRule({
        params: { id: rule.id },
        body: { version: rule.version, expected_policy_version: policyVersion },
      }),
    () => {
      announce(words.saidRemoved);
      onDone();
    },
  );
  return (
    <Question
      title={words.removeTitle(phone(rule.to_number))}
      sentence={words.removeSentence}
      yes={words.removeYes}
      no={words.keep}
      change={removing}
      onYes={() => removing.run(undefined)}
      onNo={onDone}
    />
  );
}
