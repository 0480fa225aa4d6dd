import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/contacts.ts';
import { Tab, Tabs } from '../../ui/tabs.tsx';
import styles from './contact-tabs.module.css';

const words = t.contacts;

/** Leads between contacts, partners of direct delivery and cover pages, for people who may see several of them. */
export function ContactTabs({ current }: { current: 'contacts' | 'partners' | 'covers' }) {
  const navigate = useNavigate();
  const mayContacts = usePermission('contacts:read');
  const mayPartners = usePermission('settings:read');
  const mayCovers = usePermission('fax:send');
  if ([mayContacts, mayPartners, mayCovers].filter(Boolean).length < 2) return null;
  const toContacts = () => void navigate({ to: '/contacts/{-$contactId}', params: { contactId: undefined } });
  const toPartners = () =>
    void navigate({ to: '/contacts/partners/{-$partnerId}', params: { partnerId: undefined } });
  const toCovers = () =>
    void navigate({ to: '/contacts/covers/{-$coverId}', params: { coverId: undefined } });
  return (
    <div className={styles['tabs']}>
      <Tabs label={words.parts}>
        {mayContacts && (
          <Tab isOn={current === 'contacts'} onPress={toContacts}>
            {words.title}
          </Tab>
        )}
        {mayPartners && (
          <Tab isOn={current === 'partners'} onPress={toPartners}>
            {words.partners}
          </Tab>
        )}
        {mayCovers && (
          <Tab isOn={current === 'covers'} onPress={toCovers}>
            {words.covers}
          </Tab>
        )}
      </Tabs>
    </div>
  );
}
