import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isPermission } from '../../../../shared/permissions.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatFully } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsFacts, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { useResourceNames } from '../lists/resources.ts';
import { PermissionList } from '../roles/permission-list.tsx';
import { KeyStateWord, keyName } from './key-columns.tsx';
import { ApproveKeyDialog, ChangeKeyDialog, ReplaceKeyDialog } from './key-dialogs.tsx';
import { byResource, type Key, type NewToken, type Rights, useRightsOf } from './key-queries.ts';
import { RevokeQuestion, RotateQuestion } from './key-questions.tsx';

const words = t.access.key;

interface KeyDetailsProps {
  readonly accessKey: Key;
  readonly policyVersion: number;
  readonly onToken: (token: NewToken) => void;
  /** Its state is another one, by which the list may be filtered; now it belongs to this owner. */
  readonly onMoved: (ownerId: string) => void;
  readonly onClose: () => void;
}

type KeyQuestion = 'change' | 'rotate' | 'replace' | 'revoke' | 'approve' | null;

/** Everything about one key, what it may really do, and what can be done with it. */
export function KeyDetails(props: KeyDetailsProps) {
  const { accessKey: key, onClose } = props;
  const [doing, setDoing] = useState<KeyQuestion>(null);
  return (
    <Details
      label={words.details}
      title={keyName(key)}
      facts={
        <>
          <KeyStateWord accessKey={key} />
          {key.test && <Mark>{words.testMark}</Mark>}
        </>
      }
      close={t.access.rows.close}
      onClose={onClose}
    >
      <DetailsTop>
        {key.test && <Notice tone="plain">{words.testSentence}</Notice>}
        {key.state === 'review' && <Notice tone="warn">{words.reviewSentence}</Notice>}
        <MakerLeft {...props} />
        <KeyActions state={key.state} onDo={setDoing} />
        <KeyQuestionDialog {...props} doing={doing} onDone={() => setDoing(null)} />
      </DetailsTop>
      <KeyFacts accessKey={key} />
      <KeyPermissions accessKey={key} />
    </Details>
  );
}

function KeyActions({ state, onDo }: { state: Key['state']; onDo: (doing: KeyQuestion) => void }) {
  const offered: Readonly<Record<Key['state'], readonly Exclude<KeyQuestion, null>[]>> = {
    active: ['change', 'rotate', 'replace', 'revoke'],
    review: ['approve', 'revoke'],
    expired: ['change', 'revoke'],
    revoked: [],
  };
  return (
    <DetailsLine>
      {offered[state].map((doing) => (
        <Button key={doing} onPress={() => onDo(doing)}>
          {words.actions[doing]}
        </Button>
      ))}
    </DetailsLine>
  );
}

function KeyQuestionDialog(props: KeyDetailsProps & { doing: KeyQuestion; onDone: () => void }) {
  const { accessKey, policyVersion, doing, onDone } = props;
  const common = { accessKey, policyVersion, onClose: onDone };
  const token = (made: NewToken) => {
    onDone();
    props.onToken(made);
  };
  switch (doing) {
    case 'change':
      return <ChangeKeyDialog {...common} />;
    case 'replace':
      return <ReplaceKeyDialog {...common} onToken={token} />;
    case 'approve':
      return <ApproveKeyDialog {...common} onMoved={props.onMoved} />;
    case 'rotate':
      return <RotateQuestion {...common} onToken={token} />;
    case 'revoke':
      return <RevokeQuestion {...common} onMoved={props.onMoved} />;
    case null:
      return null;
  }
}

/**
 * Returns the name of the person responsible for the key. A person who has left stays responsible until the key stops.
 */
const madeBy = ({ made_by: { display_name: name }, maker_left_at: left }: Key): string =>
  left === null ? name : words.makerLeft(name);

/** Shows when the key stops, and lets another person take responsibility for it. */
function MakerLeft({ accessKey: key, policyVersion }: KeyDetailsProps) {
  const { key_id, version, stops_at: stops } = key;
  const taking = useChange(
    () =>
      access.keys.changeAccessKey({
        params: { key_id },
        body: { take_over: true, version, expected_policy_version: policyVersion },
      }),
    () => announce(words.saidTakenOver),
  );
  if (stops === null || (key.state !== 'active' && key.state !== 'expired')) return null;
  const when = formatFully(stops);
  return (
    <>
      <Notice
        tone="warn"
        title={words.leftTitle(key.made_by.display_name)}
        action={
          <Button isPending={taking.isPending} onPress={() => taking.run(undefined)}>
            {words.takeOver}
          </Button>
        }
      >
        {key.state === 'active' ? words.leftSentence(when) : words.stoppedSentence(when)}
      </Notice>
      <ChangeProblem change={taking} />
    </>
  );
}

function KeyFacts({ accessKey: key }: { accessKey: Key }) {
  const when = (time: string | null, none: string) => (time === null ? none : formatFully(time));
  const revoked = key.revoked_at;
  return (
    <DetailsSection title={words.facts}>
      <DetailsFacts
        facts={[
          [words.of, <PrincipalLink key="of" principal={key.principal} />],
          ...(key.note ? [[words.note, key.note] as const] : []),
          [words.madeBy, madeBy(key)],
          ...(key.owner ? [[words.askedFor, key.owner] as const] : []),
          [words.created, when(key.created_at, words.unknown)],
          [words.used, when(key.last_used_at, words.never)],
          revoked === null
            ? [words.ends, when(key.expires_at, words.never)]
            : [words.revoked, formatFully(revoked)],
          [words.begins, <code key="id">{words.beginsWith(key.key_id, key.test)}</code>],
        ]}
      />
    </DetailsSection>
  );
}

function PrincipalLink({ principal }: { principal: Key['principal'] }) {
  const maySee = usePermission('users:read');
  if (!maySee || principal.kind === 'bootstrap') return principal.display_name;
  const part = principal.kind === 'integration' ? 'integrations' : 'people';
  return (
    <Link to="/access/{-$part}/{-$id}" params={{ part, id: principal.id }}>
      {principal.display_name}
    </Link>
  );
}

/** The ceiling of the key, and what of it its owner may not do anyway. */
function KeyPermissions({ accessKey: key }: { accessKey: Key }) {
  const resourceName = useResourceNames();
  const rights = useRightsOf(key.principal.kind === 'bootstrap' ? undefined : key.principal.id);
  const name = key.principal.display_name;
  const resources = byResource(key.ceiling);
  return (
    <>
      <DetailsSection title={words.mayAtMost}>
        <p>{key.principal.enabled ? words.cut(name) : words.cutOff(name)}</p>
        {resources.length === 0 && <p>{words.mayNothing}</p>}
      </DetailsSection>
      {resources.map(({ resourceId, permissions }) => (
        <DetailsSection key={resourceId} title={resourceName(resourceId)}>
          <PermissionList permissions={permissions} why={missingRightReason(rights, resourceId, name)} />
        </DetailsSection>
      ))}
    </>
  );
}

function missingRightReason(rights: Rights | null, resourceId: string, name: string) {
  return (permission: string): string | null => {
    if (!isPermission(permission)) return words.notKnown;
    return rights === null || rights.mayDo(permission, resourceId) ? null : words.ownerMayNot(name);
  };
}
