import { Link } from '@tanstack/react-router';
import { auditedFaxName } from '../../../../shared/audit-sentences.ts';
import { numberWord, pagesOf } from '../../../parts/received/fax-words.ts';
import { t } from '../../../texts/access.ts';
import { Fold } from '../../../ui/fold.tsx';
import { formatCount, formatFully, formatMoment, usePhoneFormat } from '../../../ui/format.ts';
import { Details, DetailsFacts, DetailsSection } from '../details/details.tsx';
import styles from './audit.module.css';
import { type AuditEvent, detailName, detailWords, eventSentence } from './event-words.ts';
import { OutcomeWord } from './outcome-word.tsx';

const words = t.access.event;

/** Returns true for values meant for programs, such as an id or the address of a request. */
const isCode = (name: string) => name.endsWith('_id') || ['route', 'key', 'generation'].includes(name);

/** One event with everything that was recorded of it. */
export function EventDetails({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const { actor, target, details, fax } = event;
  const phone = usePhoneFormat();
  const all = Object.entries(details);
  const recorded = all.filter(([name]) => !isCode(name));
  const codes = all.filter(([name]) => isCode(name));
  return (
    <Details
      label={words.details}
      title={eventSentence(event, phone)}
      facts={<OutcomeWord outcome={event.outcome} />}
      close={t.access.rows.close}
      onClose={onClose}
    >
      <DetailsSection title={words.facts}>
        <DetailsFacts
          facts={[
            ...timesOf(event),
            [words.by, actor.name],
            [words.with, words.credentials[event.credential_kind] ?? event.credential_kind],
            ...(fax === null ? [] : [[words.fax, <FaxLink key="fax" fax={fax} />] as const]),
          ]}
        />
        {actor.id !== null && (
          <Link
            to="/access/{-$part}/{-$id}"
            params={{ part: 'audit', id: undefined }}
            search={{ who: actor.id }}
          >
            {words.allOf(actor.name)}
          </Link>
        )}
      </DetailsSection>
      {recorded.length > 0 && (
        <DetailsSection title={words.recorded}>
          <DetailsFacts
            facts={recorded.map(([name, value]) => [detailName(name), detailWords(name, value)] as const)}
          />
        </DetailsSection>
      )}
      <div className={styles['fold']}>
        <Fold title={words.technical}>
          <DetailsFacts
            facts={[
              [words.operationName, <code key="operation">{event.operation}</code>],
              [words.target, <code key="target">{`${target.kind} ${target.id ?? ''}`.trim()}</code>],
              [words.request, <code key="request">{event.request_id ?? words.nothing}</code>],
              [words.policy, <code key="policy">{event.policy_version}</code>],
              [words.event, <code key="event">{event.id}</code>],
              ...codes.map(([name, value]) => [detailName(name), detailWords(name, value)] as const),
            ]}
          />
        </Fold>
      </div>
    </Details>
  );
}

/** Opens the fax where it is listed. */
function FaxLink({ fax }: { fax: NonNullable<AuditEvent['fax']> }) {
  const phone = usePhoneFormat();
  const name = auditedFaxName(fax, (number) => numberWord(number, phone));
  const facts = [words.faxName(name), pagesOf(fax), formatMoment(fax.created_at)];
  const label = facts.filter((it) => it !== null).join(', ');
  return fax.direction === 'sent' ? (
    <Link to="/sent/{-$sentId}" params={{ sentId: fax.id }}>
      {label}
    </Link>
  ) : (
    <Link to="/inbox/{-$receivedId}" params={{ receivedId: fax.id }}>
      {label}
    </Link>
  );
}

function timesOf({ at, last_at, count }: AuditEvent): (readonly [string, string])[] {
  if (count === 1) return [[words.at, formatFully(at)]];
  return [
    [words.firstAt, formatFully(at)],
    [words.lastAt, formatFully(last_at)],
    [words.count, formatCount(count)],
  ];
}
