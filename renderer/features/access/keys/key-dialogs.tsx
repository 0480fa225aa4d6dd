import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { TEST_KEY_PERMISSIONS } from '../../../../shared/permissions.ts';
import { access } from '../../../api/access.ts';
import { t } from '../../../texts/access.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import { type Subject, useFresh } from '../subjects/find-subjects.ts';
import { SubjectField, type SubjectFieldProps } from '../subjects/subject-field.tsx';
import { CeilingField, useCeiling } from './ceiling-field.tsx';
import { keyName } from './key-columns.tsx';
import { endTime, inHours, KeyEndField, useKeyEnd } from './key-end.tsx';
import { ceilingOf, type KeyChangeProps, type NewToken, useRightsOf } from './key-queries.ts';
import styles from './keys.module.css';

const words = t.access.key;
const { missing } = t.access.change;

/** Returns why a key cannot have the ceiling; null when it can. */
const missingIn = (ceiling: Parameters<typeof ceilingOf>[0]): string | null =>
  ceilingOf(ceiling).length === 0 ? missing.permission : null;

/** Returns why a test key cannot have the ceiling; null when it can. */
const beyondTest = (ceiling: Parameters<typeof ceilingOf>[0]): string | null =>
  ceilingOf(ceiling).every(({ permission }) => TEST_KEY_PERMISSIONS.some((allowed) => allowed === permission))
    ? null
    : words.testBeyond;

/** For whom, what for, until when, and what it may do. */
export function NewKeyDialog(props: {
  policyVersion: number;
  onClose: () => void;
  onToken: (made: NewToken) => void;
}) {
  const { policyVersion, onClose, onToken } = props;
  const [subject, setSubject] = useState<Subject | null>(null);
  const texts = useTexts('', '');
  const end = useKeyEnd();
  const [ceiling, setCeiling] = useCeiling([]);
  const [isTest, setTest] = useState(false);
  const fresh = useFresh(subject);
  const rights = useRightsOf(fresh?.id);
  const change = useChange(
    (owner: Subject) =>
      access.keys.createAccessKey({
        body: {
          principal: { id: owner.id, version: owner.version },
          ...texts.content(),
          expires_at: endTime(end.end) ?? null,
          ceiling: ceilingOf(ceiling),
          ...(isTest && { test: true }),
          expected_policy_version: policyVersion,
        },
      }),
    ({ key, token }) => onToken({ keyId: key.key_id, token }),
  );
  return (
    <ChangeDialog
      title={words.newTitle}
      submit={words.create}
      width="wide"
      change={change}
      missing={
        !fresh
          ? missing.subject
          : texts.name.trim() === ''
            ? missing.name
            : (end.missing ?? missingIn(ceiling) ?? (isTest ? beyondTest(ceiling) : null))
      }
      onSubmit={() => fresh && change.run(fresh)}
      onClose={onClose}
    >
      <PrincipalField chosen={subject} onChoose={setSubject} />
      <Texts texts={texts} />
      <KeyEndField field={end} />
      <TestKeyField isTest={isTest} onChange={setTest} />
      <CeilingField ceiling={ceiling} onChange={setCeiling} owner={fresh && { name: fresh.name, rights }} />
    </ChangeDialog>
  );
}

export function ChangeKeyDialog({ accessKey: key, policyVersion, onClose }: KeyChangeProps) {
  const texts = useTexts(key.name ?? '', key.note ?? '');
  const end = useKeyEnd(key.expires_at);
  const [ceiling, setCeiling] = useCeiling(key.ceiling);
  const rights = useRightsOf(key.principal.id);
  const change = useChange(
    () => {
      const expiresAt = endTime(end.end);
      return access.keys.changeAccessKey({
        params: { key_id: key.key_id },
        body: {
          ...texts.content(),
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
          ceiling: ceilingOf(ceiling),
          version: key.version,
          expected_policy_version: policyVersion,
        },
      });
    },
    () => {
      announce(words.saidChanged);
      onClose();
    },
  );
  return (
    <ChangeDialog
      title={words.changeTitle(keyName(key))}
      submit={words.save}
      width="wide"
      change={change}
      missing={end.missing}
      onSubmit={() => change.run(undefined)}
      onClose={onClose}
    >
      <Texts texts={texts} isFirst />
      <KeyEndField field={end} />
      <CeilingField
        ceiling={ceiling}
        onChange={setCeiling}
        owner={{ name: key.principal.display_name, rights }}
      />
    </ChangeDialog>
  );
}

const OVERLAPS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
type Overlap = keyof typeof OVERLAPS;

/** A second key like this one, so that a system can change over in its own time. */
export function ReplaceKeyDialog(props: KeyChangeProps & { onToken: (made: NewToken) => void }) {
  const { accessKey: key, policyVersion, onClose, onToken } = props;
  const [overlap, setOverlap] = useState<Overlap>('day');
  const end = useKeyEnd(key.expires_at);
  const change = useChange(
    () =>
      access.keys.replaceAccessKey({
        params: { key_id: key.key_id },
        body: {
          old_expires_at: inHours(OVERLAPS[overlap]),
          expires_at: endTime(end.end),
          version: key.version,
          expected_policy_version: policyVersion,
        },
      }),
    (made) => onToken({ keyId: made.key.key_id, token: made.token }),
  );
  return (
    <ChangeDialog
      title={words.replaceTitle(keyName(key))}
      submit={words.replace}
      change={change}
      missing={end.missing}
      onSubmit={() => change.run(undefined)}
      onClose={onClose}
    >
      <p>{words.replaceSentence}</p>
      <Choice
        label={words.oldEnds}
        value={overlap}
        onChange={setOverlap}
        options={(Object.keys(OVERLAPS) as Overlap[]).map((id) => ({ id, label: words.overlaps[id] }))}
      />
      <KeyEndField field={end} />
    </ChangeDialog>
  );
}

/** Lets a key of an earlier release in again, with an owner and a ceiling. */
export function ApproveKeyDialog(props: KeyChangeProps & { onMoved: (ownerId: string) => void }) {
  const { accessKey: key, policyVersion, onClose, onMoved } = props;
  const [subject, setSubject] = useState<Subject | null>(null);
  const [ceiling, setCeiling] = useCeiling([]);
  const fresh = useFresh(subject);
  const rights = useRightsOf(fresh?.id);
  const change = useChange(
    (owner: Subject) =>
      access.keys.approveAccessKey({
        params: { key_id: key.key_id },
        body: {
          principal: { id: owner.id, version: owner.version },
          ceiling: ceilingOf(ceiling),
          version: key.version,
          expected_policy_version: policyVersion,
        },
      }),
    (approved) => {
      announce(words.saidApproved);
      onClose();
      onMoved(approved.key.principal.id);
    },
  );
  return (
    <ChangeDialog
      title={words.approveTitle(keyName(key))}
      submit={words.approve}
      width="wide"
      change={change}
      missing={fresh ? missingIn(ceiling) : missing.subject}
      onSubmit={() => fresh && change.run(fresh)}
      onClose={onClose}
    >
      <p>{words.approveSentence}</p>
      <PrincipalField chosen={subject} onChoose={setSubject} />
      <CeilingField ceiling={ceiling} onChange={setCeiling} owner={fresh && { name: fresh.name, rights }} />
    </ChangeDialog>
  );
}

/** A test key stays one, so it is chosen when the key is made. */
function TestKeyField({ isTest, onChange }: { isTest: boolean; onChange: (isTest: boolean) => void }) {
  return (
    <div className={styles['test']}>
      <Checkbox isSelected={isTest} onChange={onChange}>
        {words.test}
      </Checkbox>
      <p>{words.testHelp}</p>
    </div>
  );
}

/** The person or integration that will have the key. */
function PrincipalField(props: Pick<SubjectFieldProps, 'chosen' | 'onChoose'>) {
  return (
    <SubjectField {...props} label={words.forWhom} help={words.forWhomHelp} withGroups={false} autoFocus />
  );
}

function useTexts(firstName: string, firstNote: string) {
  const [name, setName] = useState(firstName);
  const [note, setNote] = useState(firstNote);
  const content = () => ({ name: name.trim() || null, note: note.trim() || null });
  return { name, setName, note, setNote, content };
}

function Texts({ texts, isFirst = false }: { texts: ReturnType<typeof useTexts>; isFirst?: boolean }) {
  return (
    <>
      <TextField
        label={words.name}
        help={words.nameHelp}
        value={texts.name}
        maxLength={LIMITS.displayNameLength}
        autoFocus={isFirst}
        autoComplete="off"
        onChange={texts.setName}
      />
      <TextField
        label={words.note}
        value={texts.note}
        maxLength={LIMITS.noteLength}
        autoComplete="off"
        onChange={texts.setNote}
      />
    </>
  );
}
