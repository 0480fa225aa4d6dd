import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { type Contact, contactsChanged } from '../../api/contacts.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatFully, formatShortDay } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import styles from './contact-details.module.css';

const words = t.contacts.line;

/** Shows the line memory of the number, with a button to return to the best settings. Nothing when there is none. */
export function LineMemory({ contact }: { contact: Contact }) {
  const mayForget = usePermission('contacts:manage');
  const forgetting = useMutation({
    mutationFn: () => client.contacts.forgetLineMemory({ params: { id: contact.id } }),
    onSuccess: async () => {
      announce(words.forgotten);
      await contactsChanged();
    },
  });
  const learned = contact.line_memory;
  if (learned === null) return null;
  const { without_t38, without_ecm, most_rate_bps: rate, expires_at: until } = learned;
  return (
    <section className={styles['section']} aria-labelledby="line-memory">
      <h3 id="line-memory">{words.title}</h3>
      <ul className={styles['ways']}>
        {without_t38 && <li>{words.withoutT38}</li>}
        {without_ecm && <li>{words.withoutEcm}</li>}
        {rate !== null && <li>{words.mostRate(formatCount(rate))}</li>}
      </ul>
      <p className={styles['hint']}>
        {words.learned} <span title={formatFully(until)}>{words.until(formatShortDay(new Date(until)))}</span>
      </p>
      {mayForget && (
        <div className={styles['line']}>
          <Button isPending={forgetting.isPending} onPress={() => forgetting.mutate()}>
            {words.forget}
          </Button>
        </div>
      )}
      {forgetting.error !== null && <p role="alert">{sentenceOf(forgetting.error)}</p>}
    </section>
  );
}
