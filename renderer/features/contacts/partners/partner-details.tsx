import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

import { direct, type Partner } from '../../../api/partners.ts';
import { usePermission } from '../../../api/queries.ts';
import { FormProblem } from '../../../parts/forms/form-problem.tsx';
import { t } from '../../../texts/partners.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { ENDS } from '../../../ui/focus/places.ts';
import { formatDay, formatFully, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneBody } from '../../../ui/pane.tsx';
import styles from '../contact-details.module.css';
import { FaxCodeDialog, TypeCodeDialog } from './code-dialogs.tsx';
import { groupedFingerprint } from './fingerprint.ts';
import { PartnerState } from './partner-state.tsx';
import { RecentDeliveries } from './recent-deliveries.tsx';
import { usePartnerChange } from './use-partner-change.ts';

const words = t.partners.details;

interface DetailsProps {
  readonly partner: Partner;
  readonly onClose: () => void;
  /** Opens the dialog for a card. */
  readonly onAddAgain: () => void;
}

/** Everything about one partner, and what can be done with it. */
export function PartnerDetails(props: DetailsProps) {
  const { partner, onClose } = props;
  const phone = usePhoneFormat();
  // Only what needs nothing more is green.
  const tone = partner.renewal_due ? 'warn' : partner.sends_directly ? 'ok' : 'plain';
  return (
    <Pane as="aside" label={words.label}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['title']}>{partner.organization}</h2>
          <p className={styles['facts']} dir="ltr">
            {phone(partner.fax_number)}
          </p>
        </div>
        <IconButton icon="close" label={words.close} onPress={onClose} />
      </header>
      <PaneBody>
        <div className={styles['top']}>
          <PartnerState partner={partner} />
          <Notice tone={tone}>{partner.status}</Notice>
          <PartnerActions {...props} />
        </div>
        <Directions partner={partner} />
        <PartnerFacts partner={partner} />
        <RecentDeliveries partner={partner} />
      </PaneBody>
    </Pane>
  );
}

function PartnerActions({ partner, onAddAgain }: DetailsProps) {
  const mayChange = usePermission('settings:write');
  const maySend = usePermission('fax:send');
  const [doing, setDoing] = useState<'fax' | 'type' | 'remove' | null>(null);
  const done = () => setDoing(null);
  if (!mayChange) return null;
  if (partner.state === 'revoked')
    return (
      <div className={styles['line']}>
        <Button icon="plus" onPress={onAddAgain}>
          {t.partners.actions.addAgain}
        </Button>
      </div>
    );
  if (doing === 'remove') return <RemoveQuestion partner={partner} onDone={done} />;
  return (
    <div className={styles['line']}>
      {maySend && (
        <Button icon="send" onPress={() => setDoing('fax')}>
          {faxWords(partner)}
        </Button>
      )}
      <Button icon="keyboard" onPress={() => setDoing('type')}>
        {t.partners.actions.type}
      </Button>
      <Button {...ENDS} onPress={() => setDoing('remove')}>
        {t.partners.actions.remove}
      </Button>
      {doing === 'fax' && <FaxCodeDialog partner={partner} onClose={done} />}
      {doing === 'type' && <TypeCodeDialog partner={partner} onClose={done} />}
    </div>
  );
}

function faxWords({ sends_directly, code_fax_id }: Partner): string {
  const { fax, faxAgain, renew } = t.partners.actions;
  if (sends_directly) return renew;
  return code_fax_id === null ? fax : faxAgain;
}

/** Asks for confirmation in place; the focus is on the button that changes nothing. */
function RemoveQuestion({ partner, onDone }: { partner: Partner; onDone: () => void }) {
  const { id, version, organization } = partner;
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const question = t.partners.removing;
  const removing = usePartnerChange(
    () => direct.revokePartner({ params: { id }, body: { version } }),
    () => {
      announce(question.done(organization));
      onDone();
    },
  );
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Only the question goes, not the details around it.
    event.stopPropagation();
    onDone();
  };
  const title = question.title(organization);
  return (
    <div role="group" aria-label={title} onKeyDown={leave}>
      <Notice tone="warn" isLive title={title}>
        <p>{question.sentence}</p>
        <div className={styles['line']}>
          <Button isPending={removing.isPending} onPress={() => removing.run(undefined)}>
            {question.yes}
          </Button>
          <Button ref={no} onPress={onDone}>
            {question.no}
          </Button>
        </div>
      </Notice>
      <FormProblem
        error={removing.error}
        isStale={removing.isStale}
        words={t.partners.stale}
        reload={removing.reload}
      />
    </div>
  );
}

/** Shows which way faxes go in each direction. */
function Directions({ partner }: { partner: Partner }) {
  return (
    <section className={styles['section']}>
      <h3>{words.ways}</h3>
      <FactList wordWidth={132}>
        <Fact name={words.toThem}>{partner.sends_directly ? words.directly : words.byPhone}</Fact>
        <Fact name={words.fromThem}>{partner.receives_directly ? words.accepted : words.notAccepted}</Fact>
      </FactList>
    </section>
  );
}

function PartnerFacts({ partner }: { partner: Partner }) {
  return (
    <section className={styles['section']}>
      <h3>{words.facts}</h3>
      <FactList wordWidth={132}>
        {factsOf(partner).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <CodeFact partner={partner} />
        <Fact name={words.fingerprint} isMono>
          {groupedFingerprint(partner.fingerprint)}
        </Fact>
      </FactList>
    </section>
  );
}

function factsOf(partner: Partner): readonly (readonly [string, ReactNode])[] {
  const { number_confirmed_at: checked, number_expires_at: until, confirmed_by_them_at } = partner;
  const when = (at: string) => <span title={formatFully(at)}>{formatWhen(at)}</span>;
  return [
    [words.address, partner.endpoint],
    ...(checked !== null && until !== null
      ? [[words.checked, words.checkedUntil(dayOf(checked), dayOf(until))] as const]
      : []),
    ...(confirmed_by_them_at === null ? [] : [[words.checkedByThem, dayOf(confirmed_by_them_at)] as const]),
    [words.exchange, partner.last_exchange_at === null ? t.partners.never : when(partner.last_exchange_at)],
    [words.added, dayOf(partner.created_at)],
  ];
}

const dayOf = (iso: string) => formatDay(new Date(iso));

function CodeFact({ partner: { code_sent, code_expires_at, code_fax_id } }: { partner: Partner }) {
  const mayOpen = usePermission('fax:read');
  if (!code_sent || code_expires_at === null) return null;
  return (
    <Fact name={words.code}>
      {words.codeUntil(formatFully(code_expires_at))}{' '}
      {mayOpen && code_fax_id !== null && (
        <Link to="/sent/{-$sentId}" params={{ sentId: code_fax_id }}>
          {words.showCodeFax}
        </Link>
      )}
    </Fact>
  );
}
