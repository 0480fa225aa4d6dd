import { type ReactNode, useState } from 'react';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { t } from '../../../texts/access.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { type Subject, useSubjects } from './find-subjects.ts';
import styles from './subject-field.module.css';

const words = t.access.subject;

const SIGNS: Record<Subject['what'], IconName> = { user: 'person', integration: 'system', group: 'group' };

export interface SubjectFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly help?: ReactNode;
  readonly withGroups: boolean;
  readonly chosen: Pick<Subject, 'what' | 'name'> | null;
  readonly onChoose: (subject: Subject | null) => void;
  readonly autoFocus?: boolean;
}

/** A person, an integration or a group, found by a part of the name. */
export function SubjectField(props: SubjectFieldProps) {
  const { chosen, autoFocus = false, onChoose } = props;
  // The keyboard stays here when one way of showing it takes the place of the other.
  const [isUsed, setUsed] = useState(false);
  const choose = (subject: Subject | null) => {
    setUsed(true);
    onChoose(subject);
  };
  return chosen === null ? (
    <Search {...props} autoFocus={autoFocus || isUsed} onChoose={choose} />
  ) : (
    <Chosen {...props} chosen={chosen} autoFocus={isUsed} onChoose={choose} />
  );
}

function Chosen(props: SubjectFieldProps & { chosen: NonNullable<SubjectFieldProps['chosen']> }) {
  const { label, isLabelHidden, chosen, autoFocus = false, onChoose } = props;
  return (
    <div className={styles['field']} role="group" aria-label={label}>
      <span className={isLabelHidden ? 'visually-hidden' : styles['label']}>{label}</span>
      <div className={styles['box']} data-button>
        <Icon name={SIGNS[chosen.what]} size={16} />
        <span className={styles['name']}>{chosen.name}</span>
        <IconButton
          isSmall
          icon="close"
          autoFocus={autoFocus}
          label={words.other(chosen.name)}
          onPress={() => onChoose(null)}
        />
      </div>
    </div>
  );
}

function Search(props: SubjectFieldProps) {
  const { label, isLabelHidden, help, withGroups, onChoose, autoFocus = false } = props;
  const [typed, setTyped] = useState('');
  const found = useSubjects(typed, withGroups);
  return (
    <ComboBox
      className={styles['field'] ?? ''}
      allowsCustomValue
      allowsEmptyCollection
      menuTrigger="input"
      inputValue={typed}
      onInputChange={setTyped}
      onChange={(id) => onChoose(found.find((it) => it.id === id) ?? null)}
      items={found}
      defaultFilter={() => true}
      autoFocus={autoFocus}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : (styles['label'] ?? '')}>{label}</Label>
      <Group className={styles['box'] ?? ''} data-button>
        <Icon name="search" size={16} />
        <Input
          className={styles['input'] ?? ''}
          placeholder={withGroups ? words.hint : words.hintPerson}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
      </Group>
      {help !== undefined && (
        <Text slot="description" className={styles['help'] ?? ''}>
          {help}
        </Text>
      )}
      <Popover className={styles['popover'] ?? ''}>
        <ListBox
          className={styles['list'] ?? ''}
          aria-label={label}
          renderEmptyState={() => <p className={styles['none']}>{words.none}</p>}
        >
          {(subject: Subject) => <SubjectRow subject={subject} />}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

function SubjectRow({ subject }: { subject: Subject }) {
  const { id, what, name, login, enabled } = subject;
  const second = [words.what[what], login, enabled ? null : words.disabled].filter((it) => it !== null);
  return (
    <ListBoxItem id={id} textValue={name} className={styles['option'] ?? ''}>
      <Icon name={SIGNS[what]} />
      <span className={styles['words']}>
        <span className={styles['cut']}>{name}</span>
        <span className={styles['second']}>{second.join(' · ')}</span>
      </span>
    </ListBoxItem>
  );
}

/** Shows the icon of the subject's kind and its name, for rows and lines. */
export function SubjectName({ what, name }: Pick<Subject, 'what' | 'name'>) {
  return (
    <span className={styles['subject']}>
      <Icon name={SIGNS[what]} size={16} />
      <span className={styles['cut']}>{name}</span>
    </span>
  );
}
