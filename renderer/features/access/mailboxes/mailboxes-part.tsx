import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ListPart } from '../lists/list-part.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { OnOff } from '../lists/on-off.tsx';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
import { MailboxDetails } from './mailbox-details.tsx';
import { MailboxDialog } from './mailbox-dialog.tsx';
import { type Mailbox, useMailboxes } from './mailbox-queries.ts';
import styles from './mailboxes.module.css';

const words = t.access.mailbox;

/** The mailboxes, and which numbers are filed in them. */
export function MailboxesPart({ id }: PartProps) {
  const mailboxes = useMailboxes();
  const show = useOpenDetails('mailboxes');
  const mayChange = usePermission('mailboxes:manage');
  const [isNew, setNew] = useState(false);
  return (
    <ListPart
      part="mailboxes"
      id={id}
      title={t.access.mailboxes}
      actions={
        mayChange && <NewButton part={t.access.mailboxes} label={words.new} onPress={() => setNew(true)} />
      }
      above={
        <>
          <p className={styles['sentence']}>{words.sentence}</p>
          {mayChange && <ApplyRules />}
        </>
      }
      rows={mailboxes}
      labels={{ list: t.access.mailboxes, details: words.details }}
      columns={COLUMNS}
      rowClassName={styles['cells']}
      empty={
        <EmptyState icon="inbox" title={words.empty}>
          {words.emptySentence}
        </EmptyState>
      }
      details={(mailbox, onClose) => (
        <MailboxDetails
          key={mailbox.id}
          mailbox={mailbox}
          mailboxes={mailboxes.items}
          policyVersion={mailboxes.policyVersion}
          onClose={onClose}
        />
      )}
    >
      {isNew && (
        <MailboxDialog
          policyVersion={mailboxes.policyVersion}
          onClose={() => setNew(false)}
          onDone={(mailbox) => {
            setNew(false);
            show(mailbox.id);
          }}
        />
      )}
    </ListPart>
  );
}

const COLUMNS: readonly Column<Mailbox>[] = [
  { id: 'label', head: words.label, cell: ({ label }) => <span title={label}>{label}</span> },
  {
    id: 'numbers',
    head: words.numbers,
    isQuiet: true,
    room: 'medium',
    cell: ({ numbers }) => <Numbers numbers={numbers} />,
  },
  { id: 'state', head: words.state, cell: ({ enabled }) => <OnOff isOn={enabled} /> },
];

function Numbers({ numbers }: { numbers: readonly string[] }) {
  const phone = usePhoneFormat();
  if (numbers.length === 0) return words.noNumber;
  const all = numbers.map(phone).join(', ');
  return <span title={all}>{all}</span>;
}

/**
 * Button that moves faxes received before a number had a mailbox, or while it was disabled, by the present number
 * rules.
 */
function ApplyRules() {
  const applying = useMutation({ mutationFn: () => client.inbound.applyInboundRules() });
  return (
    <div className={styles['apply']}>
      <Button isPending={applying.isPending} onPress={() => applying.mutate()}>
        {words.applyRules}
      </Button>
      <span>{words.applyHelp}</span>
      {applying.data && (
        <Notice tone="ok" isLive>
          {words.applied(formatCount(applying.data.moved), formatCount(applying.data.left))}
        </Notice>
      )}
      {applying.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(applying.error)}
        </Notice>
      )}
    </div>
  );
}
