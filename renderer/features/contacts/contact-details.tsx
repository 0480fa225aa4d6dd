import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { formatHours } from '../../../shared/allowed-hours.ts';
import { type Contact, contactHistoryQuery, contactQuery } from '../../api/contacts.ts';
import { coversQuery } from '../../api/covers.ts';
import { loadPart } from '../../api/load-part.ts';
import { usePermission } from '../../api/queries.ts';
import { isStatus } from '../../api/sentence.ts';
import { minutesWord } from '../../parts/contacts/minutes.ts';
import { NoDetails } from '../../parts/lists/no-details.tsx';
import { t } from '../../texts/contacts.ts';
import { IconButton } from '../../ui/button.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatCount, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody } from '../../ui/pane.tsx';
import { ContactActions } from './contact-actions.tsx';
import styles from './contact-details.module.css';
import { LineMemory } from './line-memory.tsx';

const RoutesTo = lazy(() => loadPart(() => import('./contact-routes.tsx')));

const words = t.contacts.details;

interface DetailsProps {
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}

/** Everything about one contact, and what can be done with it. */
export function ContactDetails({ id, ...props }: DetailsProps & { id: string }) {
  const contact = useQuery(contactQuery(id));
  return (
    <Pane as="aside" label={words.label}>
      {contact.data && !isStatus(contact.error, 404) ? (
        <Details {...props} contact={contact.data} />
      ) : (
        <NoDetails
          error={contact.error}
          words={words}
          retry={() => void contact.refetch()}
          onClose={props.onClose}
        />
      )}
    </Pane>
  );
}

function Details({ contact, onClose, onShow }: DetailsProps & { contact: Contact }) {
  const phone = usePhoneFormat();
  const { name, organization, fax_number, note, blocked, send_together_minutes: minutes } = contact;
  return (
    <>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['title']}>{name}</h2>
          <p className={styles['facts']} dir="ltr">
            {phone(fax_number)}
          </p>
        </div>
        <IconButton icon="close" label={words.close} onPress={onClose} />
      </header>
      <PaneBody>
        <div className={styles['top']}>
          {blocked && (
            <Notice tone="danger" title={words.blockedTitle}>
              {words.blockedSentence}
            </Notice>
          )}
          {contact.opted_out_at !== null && (
            <Notice tone="warn" title={words.optedOutTitle}>
              {words.optedOutSince(formatFully(contact.opted_out_at))}
            </Notice>
          )}
          {contact.opted_out_numbers.length > 0 && (
            <Notice tone="warn" title={words.optedOutTitle}>
              {words.optedOutNumbers(contact.opted_out_numbers.map(phone).join(', '))}
            </Notice>
          )}
          <ContactActions contact={contact} onClose={onClose} onShow={onShow} />
          <FactList wordWidth={132}>
            {organization !== null && <Fact name={words.organization}>{organization}</Fact>}
            <PersonFacts contact={contact} />
            {contact.preferred_route && <Fact name={words.route}>{contact.preferred_route.name}</Fact>}
            <Fact name={words.together}>
              {minutes === 0 ? words.togetherOff : words.togetherWithin(minutesWord(minutes))}
            </Fact>
            <EncodedFacts contact={contact} />
            <HoldLink contactId={contact.id} />
          </FactList>
        </div>
        <Faxes contact={contact} />
        <Suspense>
          <RoutesTo number={fax_number} />
        </Suspense>
        <LineMemory contact={contact} />
        {note !== null && (
          <section className={styles['section']}>
            <h3>{words.note}</h3>
            <p className={styles['note']}>{note}</p>
          </section>
        )}
      </PaneBody>
    </>
  );
}

/** Shows how else the contact is reached, and who sees it. */
function PersonFacts({ contact }: { contact: Contact }) {
  const phone = usePhoneFormat();
  const { other_fax_numbers: others, voice_number: voice, address, tags, consent_note: consent } = contact;
  return (
    <>
      {others.length > 0 && <Fact name={words.otherNumbers}>{others.map(phone).join(', ')}</Fact>}
      {voice !== null && <Fact name={words.voice}>{phone(voice)}</Fact>}
      {address !== null && (
        <Fact name={words.address}>
          <span className={styles['note']}>{address}</span>
        </Fact>
      )}
      {tags.length > 0 && <Fact name={words.tags}>{tags.join(', ')}</Fact>}
      {contact.owner_mailbox !== null && (
        <Fact name={words.owner}>{words.ownerOnly(contact.owner_mailbox)}</Fact>
      )}
      <SendingFacts contact={contact} />
      {consent !== null && <Fact name={words.consent}>{consent}</Fact>}
    </>
  );
}

/** Shows the cover page of faxes to the contact, and when they may go. */
function SendingFacts({ contact }: { contact: Contact }) {
  const { allowed_hours: hours, time_zone: timeZone, cover_id: coverId } = contact;
  const maySee = usePermission('fax:send') && coverId !== null;
  const covers = useQuery({ ...coversQuery({ to: null, mailbox: null }), enabled: maySee }).data?.items;
  const cover = covers?.find(({ id }) => id === coverId);
  return (
    <>
      {cover && <Fact name={words.cover}>{cover.name}</Fact>}
      {hours !== null && <Fact name={words.hours}>{formatHours(hours)}</Fact>}
      {timeZone !== null && <Fact name={words.timeZone}>{timeZone}</Fact>}
      {contact.accepts_references && <Fact name={words.references}>{words.referencesOn}</Fact>}
    </>
  );
}

/** Shows the form of the pages where they are encoded, and the fingerprint of the key. */
function EncodedFacts({ contact }: { contact: Contact }) {
  const { encoded_pages: form, shared_key_fingerprint: key } = contact;
  return (
    <>
      {form !== 'off' && <Fact name={words.encoded}>{words.encodedForms[form]}</Fact>}
      {(form === 'encrypted' || key !== null) && (
        <Fact name={words.sharedKey}>{key === null ? words.noKey : words.keyFingerprint(key)}</Fact>
      )}
    </>
  );
}

/** Shows the results of faxes to the number, and links to its faxes. */
function Faxes({ contact }: { contact: Contact }) {
  const maySeeSent = usePermission('fax:read');
  const maySeeReceived = usePermission('inbound:list');
  const { last_success_at: reached, recent_failures: failures, fax_number } = contact;
  const search = { q: fax_number };
  const sums = useQuery(contactHistoryQuery(contact.id)).data;
  return (
    <section className={styles['section']}>
      <h3>{words.faxes}</h3>
      <FactList wordWidth={132}>
        <Fact name={words.lastReached}>
          {reached === null ? words.never : <span title={formatFully(reached)}>{formatWhen(reached)}</span>}
        </Fact>
        <Fact name={words.failures}>{failures === 0 ? words.none : words.failuresSince(failures)}</Fact>
        {sums && sums.delivered + sums.failed > 0 && (
          <Fact name={words.sums}>
            {words.sumsOf(
              formatCount(sums.delivered),
              formatCount(sums.failed),
              formatCount(sums.pages_delivered),
              sums.pages_delivered === 1,
            )}
          </Fact>
        )}
        {sums && sums.last_received_at !== null && (
          <Fact name={words.lastReceived}>
            <span title={formatFully(sums.last_received_at)}>{formatWhen(sums.last_received_at)}</span>
          </Fact>
        )}
      </FactList>
      <p className={styles['links']}>
        {maySeeSent && (
          <Link to="/sent/{-$sentId}" params={{ sentId: undefined }} search={search}>
            {words.sent}
          </Link>
        )}
        {maySeeReceived && (
          <Link to="/inbox/{-$receivedId}" params={{ receivedId: undefined }} search={search}>
            {words.received}
          </Link>
        )}
      </p>
    </section>
  );
}

/** Leads people who place legal holds to the form for the numbers of the contact. */
function HoldLink({ contactId }: { contactId: string }) {
  const mayManage = usePermission('holds:manage');
  if (!mayManage) return null;
  return (
    <Fact name={t.fax.legalHold}>
      <Link to="/system/{-$systemPage}" params={{ systemPage: 'holds' }} search={{ who: contactId }}>
        {t.fax.placeHold}
      </Link>
    </Fact>
  );
}
