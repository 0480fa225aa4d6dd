import { useState } from 'react';
import { mergeFields } from '../../../shared/merge-fields.ts';
import { type CoverPage, fieldsOf } from '../../api/covers.ts';
import { CoverSheet } from '../../parts/covers/cover-sheet.tsx';
import { useCoverPicture } from '../../parts/covers/use-cover-picture.ts';
import { t } from '../../texts/broadcasts.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { usePhoneFormat } from '../../ui/phone-reader.ts';
import styles from './broadcasts.module.css';
import { type ListedRecipient, type ListForm, useRecipients } from './use-recipients.ts';

const words = t.broadcasts.form;

/** The cover page as one recipient gets it, the first one to begin with. */
export function CoverOfRecipient(props: {
  page: CoverPage;
  values: Readonly<Record<string, string>>;
  list: ListForm;
}) {
  const { page, values, list } = props;
  const recipients = useRecipients(list);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, Math.max(recipients.length - 1, 0));
  const recipient = recipients[at];
  const picture = useCoverPicture({
    cover: page.id,
    cover_fields: typedValues(page, values, recipient),
    pages: null,
    ...(recipient && { to: recipient.to }),
    ...(recipient?.name && { to_name: recipient.name }),
  });
  const phone = usePhoneFormat();
  const place = words.recipientOf(formatCount(at + 1), formatCount(recipients.length));
  return (
    <section className={styles['cover']} aria-label={words.coverPreview}>
      <h4>{words.coverPreview}</h4>
      <div className={styles['buttons']}>
        <Button isDisabled={at === 0} onPress={() => setChosen(at - 1)}>
          {words.previousRecipient}
        </Button>
        <Button isDisabled={at + 1 >= recipients.length} onPress={() => setChosen(at + 1)}>
          {words.nextRecipient}
        </Button>
        <span role="status">
          {recipient ? `${place}: ${nameOf(recipient, phone)}` : words.noRecipientYet}
        </span>
      </div>
      <CoverSheet {...picture} alt={t.send.cover.alt} />
      <p className={styles['quiet']}>{words.pagesLater}</p>
    </section>
  );
}

const nameOf = ({ name, to }: ListedRecipient, phone: (to: string) => string): string =>
  name === null ? phone(to) : `${name}, ${phone(to)}`;

/** Returns the values that the page shows, with the columns of the recipient's line. */
function typedValues(
  page: CoverPage,
  values: Readonly<Record<string, string>>,
  recipient: ListedRecipient | undefined,
): Record<string, string> {
  const { usual, own } = fieldsOf(page);
  const shown = new Set([...usual, ...own]);
  const merged = mergeFields(values, recipient ?? { name: null, fields: {} });
  return Object.fromEntries(
    Object.entries(merged).filter(([name, value]) => shown.has(name) && value.trim() !== ''),
  );
}
