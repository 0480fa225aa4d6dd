import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mailboxResource } from '../../../../shared/resources.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { CoverChoice } from '../../../parts/covers/cover-choice.tsx';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsLine, DetailsTop } from '../details/details.tsx';
import { OnOff, OnOffButton } from '../lists/on-off.tsx';
import { MailboxDialog } from './mailbox-dialog.tsx';
import type { Mailbox } from './mailbox-queries.ts';
import { NumberRules } from './number-rules.tsx';
import { WorkTarget } from './work-target.tsx';

const words = t.access.mailbox;

interface MailboxDetailsProps {
  readonly mailbox: Mailbox;
  /** Mailboxes a number can be moved to. */
  readonly mailboxes: readonly Mailbox[];
  readonly policyVersion: number;
  readonly onClose: () => void;
}

/** One mailbox, its numbers, and what can be done with it. */
export function MailboxDetails({ mailbox, mailboxes, policyVersion, onClose }: MailboxDetailsProps) {
  const mayChange = usePermission('mailboxes:manage');
  const maySeeGrants = usePermission('grants:read');
  const [doing, setDoing] = useState<'rename' | 'disable' | null>(null);
  const done = () => setDoing(null);
  const enabling = useEnabling(mailbox, policyVersion, done);
  return (
    <Details
      label={words.details}
      title={mailbox.label}
      facts={<OnOff isOn={mailbox.enabled} />}
      close={t.access.rows.close}
      onClose={onClose}
    >
      <DetailsTop>
        {mayChange && (
          <DetailsLine>
            <Button onPress={() => setDoing('rename')}>{words.rename}</Button>
            <OnOffButton
              isOn={mailbox.enabled}
              isPending={enabling.isPending}
              onAsk={() => setDoing('disable')}
              onEnable={() => enabling.run(true)}
            />
          </DetailsLine>
        )}
        {!mailbox.enabled && <p>{words.disabledSentence}</p>}
        {doing === 'disable' ? (
          <Question
            title={words.disableTitle(mailbox.label)}
            sentence={words.disableSentence}
            yes={words.disableYes}
            change={enabling}
            onYes={() => enabling.run(false)}
            onNo={done}
          />
        ) : (
          <ChangeProblem change={enabling} />
        )}
        {maySeeGrants && (
          <Link
            to="/access/{-$part}/{-$id}"
            params={{ part: 'assignments', id: undefined }}
            search={{ on: mailboxResource(mailbox.id) }}
          >
            {words.whoSees}
          </Link>
        )}
      </DetailsTop>
      {mayChange && <MailboxCover mailbox={mailbox} policyVersion={policyVersion} />}
      <NumberRules mailbox={mailbox} mailboxes={mailboxes} mayChange={mayChange} />
      <WorkTarget mailbox={mailbox} mayChange={mayChange} />
      {doing === 'rename' && (
        <MailboxDialog mailbox={mailbox} policyVersion={policyVersion} onClose={done} onDone={done} />
      )}
    </Details>
  );
}

/** Choice of the cover page of faxes that are sent for the mailbox; saved at once. */
function MailboxCover({ mailbox, policyVersion }: Pick<MailboxDetailsProps, 'mailbox' | 'policyVersion'>) {
  const change = useChange(
    (cover: string) =>
      access.mailboxes.changeMailbox({
        params: { id: mailbox.id },
        body: { cover_id: cover || null, version: mailbox.version, expected_policy_version: policyVersion },
      }),
    () => announce(words.saidCover),
  );
  return (
    <DetailsTop>
      <CoverChoice
        label={words.cover}
        none={words.noCover}
        help={words.coverHelp}
        value={mailbox.cover_id ?? ''}
        isDisabled={change.isPending}
        onChange={change.run}
      />
      <ChangeProblem change={change} />
    </DetailsTop>
  );
}

function useEnabling(mailbox: Mailbox, policyVersion: number, onDone: () => void) {
  return useChange(
    (enabled: boolean) =>
      access.mailboxes.changeMailbox({
        params: { id: mailbox.id },
        body: { enabled, version: mailbox.version, expected_policy_version: policyVersion },
      }),
    ({ mailbox: changed }) => {
      announce(changed.enabled ? words.saidEnabled : words.saidDisabled);
      onDone();
    },
  );
}
