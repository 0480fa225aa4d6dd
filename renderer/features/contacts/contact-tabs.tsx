import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/contacts.ts';
import { Tab, Tabs } from '../../ui/tabs.tsx';
import styles from './contact-tabs.module.css';

const words = t.contacts;

/** Leads from contacts to partners of direct delivery and back, for people who may see both. */
export function ContactTabs({ current }: { current: 'contacts' | 'partners' }) {
  const navigate = useNavigate();
  const mayBoth = [usePermission('contacts:read'), usePermission('settings:read')].every(Boolean);
  if (!mayBoth) return null;
  const toContacts = () => void navigate({ to: '/contacts/{-$contactId}', params: { contactId: undefined } });
  const toPartners = () =>
    void navigate({ to: '/contacts/partners/{-$partnerId}', params: { partnerId: undefined } });
  return (
    <div className={styles['tabs']}>
      <Tabs label={words.parts}>
        <Tab isOn={current === 'contacts'} onPress={toContacts}>
          {words.title}
        </Tab>
        <Tab isOn={current === 'partners'} onPress={toPartners}>
          {words.partners}
        </Tab>
      </Tabs>
    </div>
  );
}
