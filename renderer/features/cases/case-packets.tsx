import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CasePacket, caseQuery } from '../../api/cases.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/cases.ts';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { usePhoneFormat } from '../../ui/phone-reader.ts';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import styles from './cases.module.css';

const words = t.cases;

const STATES: Readonly<Record<CasePacket['delivery_state'], readonly [Tone, IconName, string]>> = {
  held: ['warn', 'pause', t.fax.held],
  ready: ['plain', 'clock', t.fax.waiting],
  preparing: ['go', 'going', t.fax.preparing],
  submitting: ['go', 'going', t.fax.submitting],
  in_progress: ['go', 'going', t.fax.sending],
  success: ['ok', 'ok', t.fax.delivered],
  failed: ['danger', 'alert', t.fax.failed],
  cancelled: ['plain', 'close', t.fax.cancelled],
  reconciliation_required: ['warn', 'question', t.fax.needsConfirmation],
};

/** Shows the packets of a case with their documents, newest first. */
export function CasePackets({ caseId }: { caseId: string }) {
  const read = useQuery({ ...caseQuery(caseId), refetchInterval: 5_000 });
  return (
    <Pane label={words.caseName(caseId)}>
      <PaneHead title={words.caseName(caseId)} />
      <PaneBody isPadded label={words.caseName(caseId)}>
        <LoadProblem of={read} />
        <Link
          className={styles['inSent']}
          to="/sent/{-$sentId}"
          params={{ sentId: undefined }}
          search={{ case: caseId }}
        >
          {words.inSent}
        </Link>
        <ul className={styles['packets']}>
          {read.data?.items.map((packet) => (
            <Packet key={packet.fax_id} packet={packet} />
          ))}
        </ul>
      </PaneBody>
    </Pane>
  );
}

function Packet({ packet }: { packet: CasePacket }) {
  const { fax_id, to, contact, pages, documents, created_at, created_by, delivery_state, error } = packet;
  const [tone, icon, word] = STATES[delivery_state];
  const phone = usePhoneFormat();
  return (
    <li className={styles['packet']}>
      <span className={styles['name']}>{words.sentTo(contact?.name ?? phone(to))}</span>
      <StateWord tone={tone} icon={icon}>
        {word}
      </StateWord>
      {error !== null && <span>{error}</span>}
      <span className={styles['quiet']}>
        {words.pages(formatCount(pages), pages === 1)}, {formatDayAndTime(created_at)}, {created_by.name}
      </span>
      {documents.length === 0 && <span className={styles['quiet']}>{words.partOnly}</span>}
      <ol className={styles['contents']}>
        {documents.map(({ title, pages: own, first_page }, i) => (
          <li key={`${i} ${title}`}>
            {title}{' '}
            <span className={styles['quiet']}>
              {first_page === null
                ? words.named
                : words.onPage(words.pages(formatCount(own), own === 1), formatCount(first_page))}
            </span>
          </li>
        ))}
      </ol>
      <Link to="/sent/{-$sentId}" params={{ sentId: fax_id }}>
        {words.openFax}
      </Link>
    </li>
  );
}
